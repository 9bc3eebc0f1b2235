import * as vscode from 'vscode';
import { lineOf } from '../../core/agents/knownAgents';
import type { Distribution } from '../../core/agents/registryChoice';
import type { FailureReason } from './installFailure';
import { InstallFailure, messageOf } from './installFailure';
import type { Phase } from './installer';
import type { ReadRegistry } from './registrySource';

const { t } = vscode.l10n;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What went wrong and what to do; undefined for what the person cancelled. */
export function failureSentence(error: unknown): string | undefined {
  if (!(error instanceof InstallFailure)) return messageOf(error);
  const { failure } = error;
  return failure.reason === 'cancelled' ? undefined : sentenceOf(failure);
}

function sentenceOf(failure: Exclude<FailureReason, { reason: 'cancelled' }>): string {
  switch (failure.reason) {
    case 'noRegistry':
      return t(
        'The registry of agents could not be read: {0}. Check the network, then try again.',
        failure.message,
      );
    case 'download':
      return t(
        'The download of {0} failed: {1}. Nothing was installed. Try again.',
        failure.address,
        failure.message,
      );
    case 'tooLarge':
      return t('{0} is larger than {1} MB. Nothing was installed.', failure.address, failure.megabytes);
    case 'wrongHash':
      return t(
        'What {0} sent is not what the registry names: its SHA-256 hash differs. It was deleted, and nothing was installed. Try again later, or tell the authors of the agent.',
        failure.address,
      );
    case 'badArchive':
      return t('The archive of the agent is not accepted: {0}. Nothing was installed.', failure.message);
    case 'noProgram':
      return t(
        'The program "{0}" is not in what was downloaded. Nothing was installed. Tell the authors of the agent.',
        failure.program,
      );
    default:
      return toolSentence(failure);
  }
}

function toolSentence(
  failure: Extract<FailureReason, { reason: 'toolMissing' | 'toolFailed' | 'toolSlow' | 'storage' }>,
): string {
  switch (failure.reason) {
    case 'toolMissing':
      return failure.tool === 'uv'
        ? t(
            'This agent is a Python package, and uv was not found on the PATH of your login shell. Install uv (docs.astral.sh/uv), then try again.',
          )
        : t(
            'This agent is a package of npm, and npm was not found on the PATH of your login shell. Install Node.js (nodejs.org), then try again.',
          );
    case 'toolFailed':
      return t(
        '{0} could not install the agent: {1}. The log has all that it said.',
        failure.tool,
        failure.lastLine,
      );
    case 'toolSlow':
      return t(
        '{0} took longer than {1} minutes and was stopped. Nothing was installed. Try again.',
        failure.tool,
        failure.minutes,
      );
    case 'storage':
      return t('The agent could not be written to disk: {0}. Nothing was installed.', failure.message);
  }
}

/** What an install does now. */
export function phaseText(phase: Phase): string {
  if (phase.phase === 'unpack') return t('Unpacking…');
  if (phase.phase === 'package')
    return t('{0} fetches the package and what it needs; the log shows its output…', phase.tool);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  return phase.total === undefined
    ? t('Downloading, {0} MB…', megabytes(phase.bytes))
    : t('Downloading, {0} of {1} MB…', megabytes(phase.bytes), megabytes(phase.total));
}

/** What is fetched from where, and what runs then: what a person agrees to. */
export function consentText(distribution: Distribution, license: string | undefined): string {
  return [
    ...sourceLines(distribution),
    license === undefined ? t('The registry names no licence.') : t('Licence: {0}', license),
    t('The agent runs on this machine with your rights. Parley does not check what it is.'),
  ].join('\n\n');
}

function sourceLines(distribution: Distribution): string[] {
  const runs = (command: string): string => t('Runs: {0}', lineOf({ command, args: distribution.args }));
  if (distribution.kind === 'binary') {
    const hash =
      distribution.sha256 === undefined
        ? t('The registry gives no hash for it, so what arrives can’t be checked.')
        : t('It is checked against the SHA-256 hash of the registry.');
    return [t('Downloads: {0}', distribution.archive), hash, runs(distribution.cmd)];
  }
  const fetched =
    distribution.kind === 'npx'
      ? t(
          'npm fetches the package {0} with what it depends on, and runs their install scripts.',
          distribution.package,
        )
      : t(
          'uv fetches the package {0} with what it depends on, and a Python where none fits.',
          distribution.package,
        );
  return [fetched, runs(distribution.cmd ?? distribution.package)];
}

/** How old the list is, and why it is not newer. */
export function ageText({ checkedAt, problem, leftOut }: ReadRegistry, now: number): string {
  const age = ageOf(Math.max(0, now - checkedAt));
  const said =
    problem === undefined
      ? t('The list is from {0}.', age)
      : t('Offline: the list is from {0}. ({1})', age, problem);
  return leftOut === 0 ? said : `${said} ${t('Entries that can’t be used: {0}.', leftOut)}`;
}

function ageOf(ms: number): string {
  if (ms < MINUTE) return t('just now');
  if (ms < HOUR) return t('{0} min ago', Math.floor(ms / MINUTE));
  if (ms < 2 * DAY) return t('{0} h ago', Math.floor(ms / HOUR));
  return t('{0} days ago', Math.floor(ms / DAY));
}
