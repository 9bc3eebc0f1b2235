import { readLoginEnvironment } from '../../acp/loginEnvironment';
import type { Log } from '../log';

/** The environment of the person's login shell, asked for once, when first needed. */
export class LoginShell {
  private asked: Promise<NodeJS.ProcessEnv> | undefined;

  constructor(private readonly log: Log) {}

  environment(): Promise<NodeJS.ProcessEnv> {
    return (this.asked ??= this.ask());
  }

  private async ask(): Promise<NodeJS.ProcessEnv> {
    const { env, problem } = await readLoginEnvironment(process.env);
    if (problem) this.log.main.warn(`The environment of the editor is used: ${problem}`);
    return env;
  }
}
