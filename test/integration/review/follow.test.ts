import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionAction, ToolPatch } from '../../../src/core/session/actions';
import { applyAction } from '../../../src/core/session/reduce';
import { emptySession } from '../../../src/core/session/state';
import { Follower, type Spot } from '../../../src/host/follow';
import { until } from '../../vscode/until';
import { makeFolders, type Folders } from '../files/folders';

/** A session whose agent makes tool calls, and a follower that writes down what it would show. */
class Followed {
  readonly shown: Spot[] = [];
  readonly state = emptySession('agent');
  isOn = true;
  readonly follower: Follower;

  constructor(readonly folders: Folders) {
    this.follower = new Follower({
      isOn: () => this.isOn,
      roots: () => [folders.root],
      reveal: (spot) => {
        this.shown.push(spot);
        return Promise.resolve();
      },
    });
    this.take({ type: 'promptSubmitted', blocks: [], at: 1 });
  }

  call(toolCallId: string, patch: Omit<ToolPatch, 'toolCallId'>): void {
    this.take({ type: 'update', update: { kind: 'toolCall', patch: { toolCallId, ...patch } }, at: 1 });
  }

  names(): string[] {
    return this.shown.map(({ path, line }) => `${path.slice(this.folders.root.length + 1)}:${line ?? ''}`);
  }

  async waitFor(...names: string[]): Promise<void> {
    await until(names.join(), () => this.names().join() === names.join() || undefined, 5_000);
  }

  private take(action: SessionAction): void {
    applyAction(this.state, action, () => undefined);
    this.follower.take(action, this.state);
  }
}

describe('following an agent', () => {
  let folders: Folders;
  let followed: Followed;
  const at = (name: string, line?: number): { path: string; line?: number } => ({
    path: join(folders.root, name),
    ...(line === undefined ? {} : { line }),
  });
  beforeEach(async () => {
    folders = await makeFolders();
    await mkdir(join(folders.root, 'sub'));
    for (const name of ['a', 'b', 'c']) await writeFile(join(folders.root, name), 'text\n');
    await writeFile(join(folders.outside, 'secret'), 'text\n');
    followed = new Followed(folders);
  });
  afterEach(async () => {
    followed.follower.dispose();
    await folders.remove();
  });

  it('TC-8 shows the place of a call that begins', async () => {
    followed.call('1', { status: 'in_progress', locations: [at('a', 3)] });
    await followed.waitFor('a:3');
  });

  it('TC-8 shows one place in a while, and of those that come meanwhile the last', async () => {
    followed.call('1', { status: 'pending', locations: [at('a')] });
    followed.call('2', { status: 'pending', locations: [at('b')] });
    followed.call('3', { status: 'pending', locations: [at('b'), at('c', 2)] });
    await followed.waitFor('a:', 'c:2');
  });

  it('TC-8 shows what a finished edit changed, and nothing of another finished call', async () => {
    followed.call('1', { status: 'completed', toolKind: 'read', locations: [at('a')] });
    followed.call('2', { status: 'completed', toolKind: 'edit', locations: [at('b')] });
    await followed.waitFor('b:');
  });

  it('TC-8 shows only files that exist inside the folders of the session', async () => {
    await symlink(join(folders.outside, 'secret'), join(folders.root, 'link'));
    for (const spot of [at('missing'), at('sub'), at('link'), { path: join(folders.outside, 'secret') }]) {
      followed.call(spot.path, { status: 'in_progress', locations: [spot] });
      followed.follower.dispose();
    }
    followed.call('last', { status: 'in_progress', locations: [at('a')] });
    await followed.waitFor('a:');
  });

  it('TC-8 shows nothing unless the person wants it', async () => {
    followed.isOn = false;
    followed.call('1', { status: 'in_progress', locations: [at('a')] });
    followed.isOn = true;
    followed.call('2', { status: 'in_progress', locations: [at('b')] });
    await followed.waitFor('b:');
  });
});
