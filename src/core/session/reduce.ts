import { compact } from '../json';
import type { SessionAction, SessionUpdate } from './actions';
import { byId, setById } from './byId';
import { applyCompaction, settleCompactions } from './compaction';
import { applyElicitation } from './elicitations';
import { addEntry, changed, lastEntry } from './entries';
import { applyChunk, endMessage } from './messages';
import { addTokens, applyModelCall, countOf } from './modelCalls';
import { isBusy } from './select';
import { emptySession, type ConfigView, type SessionState } from './state';
import { applySynthetic } from './synthetic';
import { applyTerminal } from './terminals';
import { answerPermission, askPermission, settleOpenTools, upsertTool } from './toolCalls';
import type { Touch } from './touch';

/**
 * Applies one action to the state, in place, and names what it changed. Deterministic: the extension host and the page run it on
 * the same actions and hold the same state.
 */
export function applyAction(state: SessionState, action: SessionAction, touch: Touch): void {
  switch (action.type) {
    case 'update':
      return applyUpdate(state, action.update, action.at, touch);
    case 'promptSubmitted':
    case 'turnEnded':
    case 'turnFailed':
    case 'cancelRequested':
    case 'agentLost':
      return applyTurn(state, action, touch);
    case 'modelCallStarted':
    case 'modelCallEnded':
      return applyModelCall(state, action);
    case 'permissionRequested':
      return askPermission(state, action, action.at, touch);
    case 'permissionAnswered':
      return answerPermission(state, action, action.at, touch);
    case 'elicitationRequested':
    case 'elicitationAnswered':
    case 'elicitationCompleted':
      return applyElicitation(state, action, touch);
    case 'queueChanged':
      state.queue = action.queue;
      return touch('queue');
    case 'terminalStarted':
    case 'terminalScreen':
    case 'terminalExited':
    case 'terminalReleased':
      return applyTerminal(state, action, touch);
    default:
      return applyConnection(state, action, touch);
  }
}

type TurnAction = Extract<
  SessionAction,
  { type: 'promptSubmitted' | 'turnEnded' | 'turnFailed' | 'cancelRequested' | 'agentLost' }
>;

function applyTurn(state: SessionState, action: TurnAction, touch: Touch): void {
  const { turn } = state;
  const running = turn.status === 'running' || turn.status === 'cancelling';
  touch('turn');
  if (action.type === 'promptSubmitted') {
    const echo = action.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const firstEntry = state.entries.length;
    state.turn = { number: turn.number + 1, status: 'running', startedAt: action.at, firstEntry, echo };
    addEntry(state, touch, { kind: 'user', own: true, blocks: action.blocks.map((block) => ({ ...block })) });
    if (action.queued !== undefined) leaveQueue(state, action.queued, touch);
  } else if (!running || ('turn' in action && action.turn !== turn.number)) {
    return; // Only the turn that runs can be cancelled or end (CA-9, client-duties section e, 10).
  } else if (action.type === 'cancelRequested') {
    turn.status = 'cancelling';
    settleOpenTools(state, 'cancelled', action.at, touch);
  } else if (action.type === 'turnEnded') {
    endTurn(state, action, touch);
  } else {
    settleOpenTools(state, 'interrupted', action.at, touch);
    settleCompactions(state, 'failed', touch);
    turn.status = 'failed';
    if (action.type === 'turnFailed') addEntry(state, touch, { kind: 'error', error: action.error });
  }
}

function endTurn(
  state: SessionState,
  action: Extract<SessionAction, { type: 'turnEnded' }>,
  touch: Touch,
): void {
  const { type: _, turn: __, stopReason, at, ...said } = action;
  const { modelCalls: timeline, tokens } = state.turn;
  if (stopReason === 'refusal') dropTurn(state, touch);
  settleOpenTools(state, stopReason === 'cancelled' ? 'cancelled' : 'interrupted', at, touch);
  if (stopReason === 'cancelled') settleCompactions(state, 'cancelled', touch);
  state.turn.status = 'idle';
  delete state.turn.modelCalls;
  delete state.turn.tokens;
  if (state.plan.length > 0 && state.plan.every((item) => item.status === 'completed')) {
    addEntry(state, touch, { kind: 'plan', items: state.plan });
    state.plan = [];
    touch('plan');
  }
  const silent = stopReason === 'end_turn' && state.entries.at(-1)?.kind === 'user';
  addEntry(state, touch, {
    kind: 'end',
    stopReason,
    duration: Math.max(0, at - state.turn.startedAt),
    ...(silent ? { silent } : {}),
    ...compact({ modelCalls: countOf(timeline), timeline, tokens }),
    ...said,
  });
}

/** Takes a prompt that is being sent out of the queue. */
function leaveQueue(state: SessionState, id: string, touch: Touch): void {
  const { items, paused } = state.queue;
  state.queue = { items: items.filter((item) => item.id !== id), paused };
  touch('queue');
}

/** Marks the prompts of a refused turn: the agent does not remember them (PT-9). */
function dropTurn(state: SessionState, touch: Touch): void {
  for (let i = state.turn.firstEntry; i < state.entries.length; i++) {
    const entry = state.entries[i];
    if (entry?.kind !== 'user') continue;
    entry.dropped = true;
    changed(entry, touch);
  }
}

function applyUpdate(state: SessionState, update: SessionUpdate, at: number, touch: Touch): void {
  switch (update.kind) {
    case 'chunk':
      return applyChunk(state, update, at, touch);
    case 'synthetic':
      return applySynthetic(state, update, touch);
    case 'toolCall':
    case 'toolCallUpdate':
      upsertTool(state, update.patch, { announced: update.kind === 'toolCall', at, touch });
      return;
    case 'plan':
      state.plan = update.items;
      return touch('plan');
    case 'notice': {
      const { kept: _, ...notice } = update;
      addEntry(state, touch, notice);
      return;
    }
    case 'compaction':
    case 'compactionChunk':
      return applyCompaction(state, update, touch);
    case 'tokens':
      state.turn.tokens = addTokens(state.turn.tokens, update.tokens);
      return;
    case 'unknown':
      setById(state.unknownUpdates, update.name, (byId(state.unknownUpdates, update.name) ?? 0) + 1);
      return;
    default:
      return applySideState(state, update, touch);
  }
}

type SideUpdate = Extract<SessionUpdate, { kind: 'commands' | 'config' | 'mode' | 'info' | 'usage' }>;

function applySideState(state: SessionState, update: SideUpdate, touch: Touch): void {
  if (update.kind === 'commands') {
    state.commands = update.commands;
    touch('commands');
  } else if (update.kind === 'config') {
    state.config = update.config;
    touch('config');
  } else if (update.kind === 'mode') {
    // Modes are the fallback: where the agent has config options, those alone count (MO-4).
    const mode = state.config.find((item) => item.type === 'select' && item.legacyMode);
    if (mode) setConfigValue(state, mode.id, update.modeId);
    touch('config');
  } else if (update.kind === 'info') {
    if (update.title !== undefined) state.title = update.title;
    if (update.updatedAt !== undefined) state.updatedAt = update.updatedAt;
    if (update.interrupted) markInterrupted(state, touch);
    touch('title');
  } else {
    state.usage = update.usage;
    endMessage(state);
    touch('usage');
  }
}

/** Says so at the end of what a loaded session has; the agent may tell it with each load. */
function markInterrupted(state: SessionState, touch: Touch): void {
  const last = lastEntry(state);
  if (!last || isBusy(state) || (last.kind === 'end' && last.stopReason === 'interrupted')) return;
  addEntry(state, touch, { kind: 'end', stopReason: 'interrupted', duration: 0 });
}

type ConnectionAction = Exclude<
  SessionAction,
  | TurnAction
  | { type: 'update' }
  | { terminalId: string }
  | { type: 'modelCallStarted' | 'modelCallEnded' }
  | { type: 'permissionRequested' | 'permissionAnswered' | 'queueChanged' }
  | { type: 'elicitationRequested' | 'elicitationAnswered' | 'elicitationCompleted' }
>;

function applyConnection(state: SessionState, action: ConnectionAction, touch: Touch): void {
  switch (action.type) {
    case 'agentsListed':
      state.agents = action.agents;
      return touch('agent');
    case 'connectionChanged':
      state.connection = { status: action.status, since: action.at };
      return touch('connection');
    case 'agentIntroduced': {
      const { type: _, authMethods, abilities, ...introduction } = action;
      state.agent = { id: state.agent.id, ...introduction };
      state.authMethods = authMethods;
      state.abilities = abilities;
      return touch('agent');
    }
    case 'bannerShown':
      state.banner = action.banner;
      return touch('banner');
    case 'noticeShown': {
      const { severity, title, description, folder } = action;
      addEntry(state, touch, { kind: 'notice', severity, title, ...compact({ description, folder }) });
      return;
    }
    case 'folderAllowed':
      return markAllowed(state, action.folder, touch);
    case 'changesShown':
      state.changes = action.changes;
      return touch('changes');
    default:
      return applySessionSetup(state, action, touch);
  }
}

/** The folder is no longer offered, wherever it was. */
function markAllowed(state: SessionState, folder: string, touch: Touch): void {
  for (const entry of state.entries) {
    if (entry.kind !== 'notice' || entry.folder !== folder) continue;
    entry.allowed = true;
    changed(entry, touch);
  }
}

type SetupAction = Extract<
  SessionAction,
  { type: 'sessionChosen' | 'sessionOpened' | 'configChanged' | 'configValueSet' }
>;

function applySessionSetup(state: SessionState, action: SetupAction, touch: Touch): void {
  if (action.type === 'sessionOpened') {
    if (action.fresh) startOver(state, touch);
    state.sessionId = action.sessionId;
    state.cwd = action.cwd;
    state.config = action.config;
  } else if (action.type === 'sessionChosen') {
    state.sessionId = action.sessionId;
    state.cwd = action.cwd;
    state.title = action.title;
    touch('title');
  } else if (action.type === 'configChanged') {
    state.config = action.config;
  } else {
    setConfigValue(state, action.id, action.value);
  }
  touch('config');
}

/** Replaces the control instead of changing it: it came in an action that may still wait to be sent to the page. */
function setConfigValue(state: SessionState, id: string, value: string | boolean): void {
  state.config = state.config.map((item) => (item.id === id ? ({ ...item, value } as ConfigView) : item));
}

/** Empties what belongs to one conversation; agent and connection stay. */
function startOver(state: SessionState, touch: Touch): void {
  const { entries, toolIndex, compactionIndex, turn, plan, commands, usage, terminals } = emptySession('');
  Object.assign(state, { entries, toolIndex, compactionIndex, turn, plan, commands, usage, terminals });
  Object.assign(state, { title: null, updatedAt: null });
  for (const part of ['entries', 'turn', 'plan', 'commands', 'usage', 'title'] as const) touch(part);
}
