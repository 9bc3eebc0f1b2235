import assert from 'node:assert/strict';
import type { HostToDiagnose } from '../../../../src/core/diagnostics/diagnoseProtocol';
import type { AgentReport } from '../../../../src/core/diagnostics/report';
import { Emitter } from '../../../../src/core/emitter';
import { DiagnoseChannel } from '../../../../src/host/diagnose/diagnoseChannel';
import { until } from '../../../vscode/until';

/** A page with its channel; each report has the number of its making as its time, and is ready when `go` is called. */
function connect() {
  const fromPage = new Emitter<unknown>();
  const changed = new Emitter<void>();
  const sent: HostToDiagnose[] = [];
  const copied: AgentReport[] = [];
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  let made = 0;
  const channel = new DiagnoseChannel(
    {
      postMessage: (message) => sent.push(message),
      onDidReceiveMessage: fromPage.event,
    },
    {
      collect: () => {
        const madeAt = ++made;
        return new Promise((resolve) => waiting.push(() => resolve({ madeAt } as AgentReport)));
      },
      onDidChange: changed.event,
      copy: async (report) => void copied.push(await Promise.resolve(report)),
      restart: () => Promise.reject(new Error('It can not be started.')),
      showLog: () => undefined,
    },
    (line) => log.push(line),
  );
  const reports = (): number[] =>
    sent.flatMap((message) => (message.type === 'report' ? [message.report.madeAt] : []));
  const done = (): (string | null)[] =>
    sent.flatMap((message) => (message.type === 'done' ? [message.action, message.error] : []));
  const go = async (): Promise<void> => (await until('a report to be asked for', () => waiting.shift()))();
  const shown = (count: number) => until('the report', () => reports().length === count || undefined);
  const press = (action: string): void => fromPage.fire({ type: 'act', action });
  return { channel, fromPage, changed, copied, log, reports, done, go, shown, press, made: () => made };
}

describe('the channel of the diagnostics page', () => {
  it('sends a report when the page is ready, and one more after any number of changes meanwhile', async () => {
    const page = connect();
    page.changed.fire();
    assert.equal(page.made(), 0);
    page.fromPage.fire({ type: 'ready' });
    for (let i = 0; i < 5; i++) page.changed.fire();
    await page.go();
    await page.shown(1);
    await page.go();
    await page.shown(2);
    assert.equal(page.made(), 2);
  });

  it('copies the report that is seen', async () => {
    const page = connect();
    page.fromPage.fire({ type: 'ready' });
    await page.go();
    await page.shown(1);
    page.changed.fire();
    page.press('copy');
    await until('the copy', () => page.copied.length === 1 || undefined);
    assert.equal(page.copied[0]?.madeAt, 1);
    await until('the answer', () => page.done().length > 0 || undefined);
    assert.deepEqual(page.done(), ['copy', null]);
  });

  it('tells why something was not done, and does nothing for what it does not know', async () => {
    const page = connect();
    page.press('restart');
    await until('the answer', () => page.done().length > 0 || undefined);
    assert.deepEqual(page.done(), ['restart', 'It can not be started.']);
    page.press('formatDisk');
    assert.equal(page.log.length, 1);
    assert.equal(page.done().length, 2);
  });

  it('sends nothing more when the page is closed', async () => {
    const page = connect();
    page.fromPage.fire({ type: 'ready' });
    page.channel.dispose();
    await page.go();
    page.changed.fire();
    await Promise.resolve();
    assert.deepEqual(page.reports(), []);
    assert.equal(page.made(), 1);
  });
});
