import { readLoginEnvironment, type LoginEnvironment } from '../../acp/loginEnvironment';
import type { EnvironmentOrigin } from '../../core/launch/environment';
import type { Log } from '../log';
import { shellProblem } from '../startErrors';

/** Where the environment of agents comes from, for people. */
export interface EnvironmentReport extends Omit<EnvironmentOrigin, 'problem'> {
  /** One sentence: why that of the shell is not used. */
  problem?: string;
}

/** The environment of the person's login shell, asked for once, when first needed. */
export class LoginShell {
  private asked: Promise<LoginEnvironment> | undefined;
  private known: EnvironmentOrigin | undefined;

  constructor(private readonly log: Log) {}

  /** Where the environment comes from; undefined until the shell has been asked and has answered. */
  get origin(): EnvironmentOrigin | undefined {
    return this.known;
  }

  async environment(): Promise<NodeJS.ProcessEnv> {
    return (await (this.asked ??= this.ask())).env;
  }

  /** The origin for people; undefined until the shell has been asked and has answered. */
  described(): EnvironmentReport | undefined {
    if (!this.known) return undefined;
    const { problem, ...origin } = this.known;
    return problem ? { ...origin, problem: shellProblem(origin.shell ?? '', problem) } : origin;
  }

  private async ask(): Promise<LoginEnvironment> {
    const answer = await readLoginEnvironment(process.env);
    this.known = answer.origin;
    const { shell, ms, problem } = this.described() ?? {};
    if (problem) this.log.main.warn(`The environment of the editor is used: ${problem}`);
    else if (shell) this.log.main.info(`The environment of ${shell} is used; it took ${ms} ms`);
    return answer;
  }
}
