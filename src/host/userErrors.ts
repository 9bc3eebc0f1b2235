import * as vscode from 'vscode';
import type { DefinitionProblem } from '../core/agents/definition';
import { errorSentence, type AgentFailure, type ErrorView } from '../core/errors';
import type { Banner, BannerAction } from '../core/session/state';
import { exitMessage, startMessage } from './startErrors';

const { t } = vscode.l10n;

/** The banner for an agent that could not be started or went away: what happened, and what to do. */
export function failureBanner(agent: string, failure: AgentFailure): Banner {
  return { severity: 'error', actions: nextSteps(failure), ...failureError(agent, failure) };
}

/** The same as the error that ends a turn. */
export function failureError(agent: string, failure: AgentFailure): ErrorView {
  const detail = 'stderr' in failure && failure.stderr !== '' ? { detail: failure.stderr } : {};
  return { message: failureMessage(agent, failure), ...detail };
}

function failureMessage(agent: string, failure: AgentFailure): string {
  switch (failure.reason) {
    case 'commandNotFound':
    case 'notExecutable':
    case 'cannotRun':
    case 'unsafeArgument':
    case 'noFolder':
    case 'spawnFailed':
      return startMessage(agent, failure);
    case 'exited':
      return exitMessage(agent, failure);
    case 'initializeTimeout':
      return t(
        '{0} did not answer within {1} seconds. Restart it, or look into its log.',
        agent,
        failure.seconds,
      );
    case 'unsupportedVersion':
      return t(
        '{0} speaks version {1} of the protocol, Parley speaks version 1. Update Parley or the agent.',
        agent,
        String(failure.version),
      );
    case 'badInitializeAnswer':
      return t(
        '{0} answered in a way that Parley does not understand. Check that its command starts an ACP agent.',
        agent,
      );
    case 'requestFailed':
      return t('{0} could not go on: {1}', agent, errorSentence(failure.error));
    case 'unknownAgent':
      return t('There is no agent "{0}". Install it, add it to parley.agents, or select another one.', agent);
    case 'sessionLost':
      return t('{0} could not open this session again. It may have been deleted.', agent);
    case 'aborted':
      return t('The start of {0} was stopped.', agent);
  }
}

/** Failures that a change of the settings mends. */
const SETTINGS: ReadonlySet<AgentFailure['reason']> = new Set([
  'commandNotFound',
  'notExecutable',
  'cannotRun',
  'unsafeArgument',
  'noFolder',
  'spawnFailed',
]);

function nextSteps(failure: AgentFailure): BannerAction[] {
  if (SETTINGS.has(failure.reason)) return ['openSettings', 'diagnose', 'restart', 'selectAgent'];
  if (failure.reason === 'unknownAgent') return ['selectAgent', 'openSettings'];
  if (failure.reason === 'sessionLost') return ['newSession', 'restart', 'showLog'];
  if (failure.reason === 'unsupportedVersion' || failure.reason === 'badInitializeAnswer') {
    return ['openSettings', 'diagnose', 'showLog', 'selectAgent'];
  }
  return ['restart', 'diagnose', 'showLog', 'selectAgent'];
}

/** One sentence for a row of `parley.agents` that can't be used. */
export function definitionProblem({ id, problem }: DefinitionProblem): string {
  switch (problem) {
    case 'notObject':
      return t('parley.agents: "{0}" must be an object with a "command".', id);
    case 'noCommand':
      return t('parley.agents: "{0}" has no "command".', id);
    case 'badArgs':
      return t('parley.agents: "args" of "{0}" must be a list of strings.', id);
    case 'badEnv':
      return t('parley.agents: "env" of "{0}" must be an object of strings.', id);
    case 'badCwd':
      return t('parley.agents: "cwd" of "{0}" must be a string.', id);
    case 'badShell':
      return t('parley.agents: "shell" of "{0}" must be true or false.', id);
    case 'badTimeout':
      return t('parley.agents: "startTimeout" of "{0}" must be a number of seconds above 0.', id);
    case 'reservedName':
      return t('parley.agents: the name "{0}" belongs to the agent that comes with Parley.', id);
  }
}
