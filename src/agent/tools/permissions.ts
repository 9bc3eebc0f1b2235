import {
  ClientMethod,
  ErrorCode,
  type PermissionOption,
  type RequestPermissionRequest,
  type ToolCallUpdate,
} from '../../core/acp';
import { errorCode } from '../../acp/wireErrors';
import { asObject, asString } from '../../core/json';
import { TurnCancelled } from '../abort';
import type { ClientRequest } from '../access/clientRequest';
import { RejectedByPerson, type PermissionScope } from './tool';

/** Asks the person and remembers what is allowed for the rest of the session (PE-7). */
export class PermissionDesk {
  private readonly allowed = new Set<string>();

  constructor(
    private readonly sessionId: string,
    private readonly request: ClientRequest,
  ) {}

  /** Returns if the call may go on. An answer that is not a clear yes is a no. */
  async permit(scope: PermissionScope, toolCall: ToolCallUpdate, signal: AbortSignal): Promise<void> {
    if (this.allowed.has(scope.key)) return;
    const params: RequestPermissionRequest = {
      sessionId: this.sessionId,
      toolCall,
      options: optionsFor(scope),
    };
    const optionId = chosenOption(await this.ask(params, signal));
    if (optionId === 'allow_always') this.allowed.add(scope.key);
    else if (optionId !== 'allow_once') throw new RejectedByPerson();
  }

  private async ask(params: RequestPermissionRequest, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.request(ClientMethod.requestPermission, params, signal);
    } catch (error) {
      if (errorCode(error) === ErrorCode.cancelled) throw new TurnCancelled();
      throw error;
    }
  }
}

function optionsFor({ alwaysName }: PermissionScope): PermissionOption[] {
  return [
    { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'allow_always', name: alwaysName, kind: 'allow_always' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ];
}

function chosenOption(answer: unknown): string | undefined {
  const outcome = asObject(asObject(answer)['outcome']);
  // The client gives this answer only when the prompt turn ends (PE-5).
  if (outcome['outcome'] === 'cancelled') throw new TurnCancelled();
  return outcome['outcome'] === 'selected' ? asString(outcome['optionId']) : undefined;
}
