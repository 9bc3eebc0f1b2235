import assert from 'node:assert/strict';
import type { LinkMember } from '../../../src/host/session/agentLink';
import { EarlyTraffic } from '../../../src/host/session/earlyTraffic';

/** A session that keeps the updates that it gets. */
class Member implements LinkMember {
  readonly updates: unknown[] = [];

  constructor(readonly key = 'mine') {}

  takeUpdate(update: unknown): void {
    this.updates.push(update);
  }

  takeModelCall(): void {
    assert.fail('not expected');
  }

  left(): void {
    assert.fail('not expected');
  }

  signedIn(): Promise<void> {
    return Promise.reject(new Error('not expected'));
  }

  signedOut(): void {
    assert.fail('not expected');
  }
}

/** Early traffic while one request that opens a session is under way. */
class Opening {
  readonly log: string[] = [];
  readonly early = new EarlyTraffic((line) => this.log.push(line));
  private finish: (error?: Error) => void = () => undefined;
  private readonly running: Promise<void>;

  constructor() {
    this.running = this.early.during(
      () =>
        new Promise<void>((resolve, reject) => {
          this.finish = (error) => (error ? reject(error) : resolve());
        }),
    );
  }

  /** The request is answered. */
  async end(error?: Error): Promise<void> {
    this.finish(error);
    await this.running.catch(() => undefined);
  }
}

/** The sessions that the lines of a log name. */
const sessionsOf = (log: string[]): string[] => log.map((line) => line.split(' ').at(-1) ?? '').sort();

describe('traffic of a session that is being opened', () => {
  it('SE-5 SU-6 SU-7 waits for the answer and then comes in its order, to the session that it names', () => {
    const { early, log } = new Opening();
    early.update('a', 1);
    early.update('b', 'other');
    early.update('a', 2);
    const [a, b] = [new Member(), new Member()];
    early.opened('a', a);
    assert.deepEqual(a.updates, [1, 2]);
    early.opened('a', a);
    assert.deepEqual(a.updates, [1, 2], 'each comes once');
    early.opened('b', b);
    assert.deepEqual(b.updates, ['other']);
    assert.deepEqual(log, []);
  });

  it('SE-5 a request waits until its session is open', async () => {
    const { early } = new Opening();
    const [mine, theirs] = [early.wait('a'), early.wait('b')];
    const [a, b] = [new Member('a'), new Member('b')];
    early.opened('b', b);
    early.opened('a', a);
    assert.equal(await mine, a);
    assert.equal(await theirs, b);
  });

  it('SE-5 SU-6 drops what belongs to nobody when nothing is being opened any more, with one line for each session', async () => {
    const opening = new Opening();
    const { early, log } = opening;
    early.update('a', 1);
    early.update('a', 2);
    early.update('b', 1);
    const asked = early.wait('a');
    await opening.end();
    assert.equal(await asked, undefined);
    assert.deepEqual(sessionsOf(log), ['a', 'b']);
    const late = new Member();
    early.opened('a', late);
    assert.deepEqual(late.updates, []);
  });

  it('SE-5 drops it as well when the request fails, and tells the failure', async () => {
    const log: string[] = [];
    const early = new EarlyTraffic((line) => log.push(line));
    const failing = early.during(() => {
      early.update('a', 1);
      return Promise.reject(new Error('no'));
    });
    await assert.rejects(failing, /no/);
    assert.equal(log.length, 1);
    assert.equal(await early.wait('a'), undefined);
  });

  it('SE-5 keeps it while another session is still being opened', async () => {
    const opening = new Opening();
    const { early } = opening;
    let finish: () => void = () => undefined;
    const second = early.during(() => new Promise<void>((resolve) => (finish = resolve)));
    early.update('a', 1);
    await opening.end();
    const member = new Member();
    early.opened('a', member);
    assert.deepEqual(member.updates, [1]);
    finish();
    await second;
  });

  it('SU-6 ignores updates while nothing is being opened, and says so once', () => {
    const log: string[] = [];
    const early = new EarlyTraffic((line) => log.push(line));
    early.update('a', 1);
    early.update('a', 2);
    const member = new Member();
    early.opened('a', member);
    assert.deepEqual(member.updates, []);
    assert.deepEqual(sessionsOf(log), ['a']);
  });

  it('RP-3 a request for an unknown session does not wait while nothing is being opened', async () => {
    assert.equal(await new EarlyTraffic(() => undefined).wait('a'), undefined);
  });

  it('SE-5 a request does not wait for ever for an agent that needs its answer first', async () => {
    const early = new EarlyTraffic(() => undefined, 1);
    void early.during(() => new Promise(() => undefined));
    assert.equal(await early.wait('a'), undefined);
  });

  it('CA-7 a request that is taken back waits no longer', async () => {
    const { early } = new Opening();
    const abort = new AbortController();
    const asked = early.wait('a', abort.signal);
    abort.abort();
    assert.equal(await asked, undefined);
    early.opened('a', new Member());
  });

  it('CA-7 a request that was taken back before does not wait at all', async () => {
    const { early } = new Opening();
    assert.equal(await early.wait('a', AbortSignal.abort()), undefined);
  });

  it('SE-5 keeps no more than a flood can be', () => {
    const { early } = new Opening();
    for (let i = 0; i < 10_500; i++) early.update('a', i);
    const member = new Member();
    early.opened('a', member);
    assert.equal(member.updates.length, 10_000);
    assert.deepEqual([member.updates[0], member.updates.at(-1)], [0, 9_999]);
  });
});
