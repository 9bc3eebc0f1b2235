import assert from 'node:assert/strict';
import { parseAgents } from '../../../../src/core/agents/definition';
import type { FoundProgram } from '../../../../src/core/agents/knownAgents';
import type { InstalledAgent } from '../../../../src/core/agents/registryInstalls';
import { AddAgent, type AddAgentDialog, type AddChoice } from '../../../../src/host/agents/addAgent';

/** Settings of a person, and what they answer. */
class Desk {
  rows: unknown;
  readonly log: string[] = [];
  programs = new Map<string, FoundProgram>([['gemini', { path: '/usr/bin/gemini', byName: true }]]);
  choice: AddChoice | undefined;
  line: string | undefined;
  name: string | undefined;
  installed: InstalledAgent[] = [];
  proposed: string | undefined;

  constructor(rows?: unknown) {
    this.rows = rows;
  }

  readonly dialog: AddAgentDialog = {
    choose: (found, others) => {
      this.log.push(`choose ${found.map(({ id }) => id).join()} of ${found.length + others.length}`);
      return Promise.resolve(this.choice);
    },
    askLine: (problem) => Promise.resolve(this.checked(this.line, problem)),
    askName: (proposed, problem) => {
      this.proposed = proposed;
      return Promise.resolve(this.checked(this.name ?? proposed, problem));
    },
    tellHowToGet: ({ id }) => Promise.resolve(void this.log.push(`tell ${id}`)),
    openSettings: () => Promise.resolve(void this.log.push('settings')),
    openRegistry: () => Promise.resolve(void this.log.push('registry')),
  };

  readonly agents = new AddAgent({
    definitions: () => parseAgents(this.rows).agents,
    installed: () => this.installed,
    programs: (anew) => {
      if (anew) this.log.push('looks anew');
      return Promise.resolve(this.programs);
    },
    readRows: () => this.rows,
    writeRows: (rows) => {
      this.rows = rows;
      return Promise.resolve();
    },
    open: (id) => Promise.resolve(void this.log.push(`open ${id}`)),
    dialog: this.dialog,
    texts: {
      notFound: (agent) => `${agent} is gone`,
      noObject: () => 'no object',
      rowProblem: ({ problem }) => problem,
      emptyLine: () => 'empty line',
      openQuote: () => 'open quote',
      emptyName: () => 'empty name',
      takenName: (name) => `${name} is taken`,
    },
    windows: false,
  });

  /** What a person gets to write: a text with a problem is not taken, as in an input box. */
  private checked(
    text: string | undefined,
    problem: (text: string) => string | undefined,
  ): string | undefined {
    const found = text === undefined ? undefined : problem(text);
    if (found !== undefined) this.log.push(found);
    return found === undefined ? text : undefined;
  }
}

describe('adding an agent', () => {
  it('knows the agents that were installed from the registry, opens them, and leads to the registry', async () => {
    const desk = new Desk({});
    const current = { version: '1.2.3', kind: 'binary' as const, command: '/x/goose', args: [], env: {} };
    desk.installed = [{ id: 'goose', name: 'Goose', current, proven: true }];
    const [first] = await desk.agents.found(false);
    assert.deepEqual([first?.title, first?.configured, first?.installed], ['Goose', 'Goose', '1.2.3']);
    await desk.agents.use('installed:goose');
    desk.choice = { type: 'registry' };
    await desk.agents.ask();
    assert.deepEqual(desk.log.slice(0, 1).concat(desk.log.slice(-1)), ['open Goose', 'registry']);
    assert.deepEqual(desk.rows, {});
  });

  it('writes the row of a found agent beside those of the person, and opens a session with it', async () => {
    const mine = { command: 'mine', extra: 'kept as it is' };
    const desk = new Desk({ Mine: mine });
    await desk.agents.use('gemini');
    assert.deepEqual(desk.rows, { Mine: mine, 'Gemini CLI': { command: 'gemini', args: ['--acp'] } });
    assert.deepEqual(desk.log, ['open Gemini CLI']);
  });

  it('writes nothing for an agent that the settings have', async () => {
    const rows = { G: { command: '/usr/bin/gemini', args: ['--acp', '-m', 'x'] } };
    const desk = new Desk(rows);
    assert.equal((await desk.agents.found(false))[0]?.configured, 'G');
    await desk.agents.use('gemini');
    assert.equal(desk.rows, rows);
    assert.deepEqual(desk.log, ['open G']);
  });

  it('takes no name that a row has, even one that can not be used', async () => {
    const desk = new Desk({ 'Gemini CLI': { command: 7 } });
    assert.equal((await desk.agents.found(false))[0]?.name, 'Gemini CLI 2');
    await desk.agents.use('gemini');
    assert.deepEqual(Object.keys(desk.rows as object), ['Gemini CLI', 'Gemini CLI 2']);
    assert.deepEqual(desk.log, ['open Gemini CLI 2']);
  });

  it('starts nothing that was not found, whatever the page asks for', async () => {
    const desk = new Desk();
    await assert.rejects(desk.agents.use('copilot'), new Error('GitHub Copilot is gone'));
    await assert.rejects(desk.agents.use('rm -rf /'), new Error('rm -rf / is gone'));
    assert.equal(desk.rows, undefined);
    assert.deepEqual(desk.log, []);
  });

  it('leaves settings alone that are no object', async () => {
    const desk = new Desk('oops');
    await assert.rejects(desk.agents.use('gemini'), new Error('no object'));
    assert.equal(desk.rows, 'oops');
    assert.deepEqual(desk.log, []);
  });

  it('adds a command line of the person under a name of theirs', async () => {
    const desk = new Desk();
    desk.choice = { type: 'own' };
    desk.line = '/opt/my-agent --acp "a b"';
    desk.name = ' Mine ';
    await desk.agents.ask();
    assert.equal(desk.proposed, 'my-agent');
    assert.deepEqual(desk.rows, { Mine: { command: '/opt/my-agent', args: ['--acp', 'a b'] } });
    assert.deepEqual(desk.log, ['looks anew', 'choose gemini of 16', 'open Mine']);
  });

  it('says what is wrong with a line or a name, and adds nothing', async () => {
    for (const [line, name, problem] of [
      [' ', 'x', 'empty line'],
      ['a "b', 'x', 'open quote'],
      ['a', ' ', 'empty name'],
      ['a', 'Built-in', 'Built-in is taken'],
    ] as const) {
      const desk = new Desk();
      Object.assign(desk, { choice: { type: 'own' }, line, name });
      await desk.agents.ask();
      assert.equal(desk.log.at(-1), problem);
      assert.equal(desk.rows, undefined);
    }
  });

  it('tells how to get an agent that is not there, opens the settings, or does nothing', async () => {
    const desk = new Desk();
    const [agent] = [
      { id: 'codex', title: 'Codex', commands: ['codex-acp'], args: [], link: 'https://x.example' },
    ] as const;
    for (const choice of [{ type: 'known', agent }, { type: 'settings' }, undefined] as const) {
      desk.choice = choice;
      await desk.agents.ask();
    }
    const asked = ['looks anew', 'choose gemini of 16'];
    assert.deepEqual(desk.log, [...asked, 'tell codex', ...asked, 'settings', ...asked]);
    assert.equal(desk.rows, undefined);
  });
});
