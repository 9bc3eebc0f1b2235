import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, ContextKey, PanelType, Setting, View } from '../../../src/host/contributions';

/** The English titles that people look for in the palette: kept as they are. */
const TITLES: Record<string, string> = {
  'parley.openChat': 'Open Chat',
  'parley.openInEditor': 'Open Chat in Editor',
  'parley.newSession': 'New Session',
  'parley.selectAgent': 'Select Agent',
  'parley.sendPrompt': 'Send Prompt',
  'parley.cancelTurn': 'Cancel Turn',
  'parley.forceStop': 'Force Stop',
  'parley.restartAgent': 'Restart Agent',
  'parley.listSessions': 'Show Sessions',
  'parley.closeSession': 'Close Session',
  'parley.deleteSession': 'Delete Session',
  'parley.setMode': 'Set Mode',
  'parley.setConfigOption': 'Set Option',
  'parley.authenticate': 'Sign In',
  'parley.logout': 'Sign Out',
  'parley.addSelection': 'Add Selection to Chat',
  'parley.addFile': 'Add File to Chat',
  'parley.addFolder': 'Add Folder to Chat',
  'parley.addChanges': 'Add Changes to Chat',
  'parley.addProblem': 'Add Problem to Chat',
  'parley.addTerminalSelection': 'Add Terminal Selection to Chat',
  'parley.showPermission': 'Show Pending Permission',
  'parley.reviewChanges': 'Review Changes',
  'parley.undoTurn': 'Undo Turn',
  'parley.followAgent': 'Follow Agent',
  'parley.exportTranscript': 'Export Transcript',
  'parley.showTraffic': 'Show Traffic',
  'parley.saveBugReport': 'Save Bug Report',
  'parley.diagnose': 'Diagnose Agent',
  'parley.addAgent': 'Add Agent',
  'parley.installAgent': 'Install Agent',
};

type Manifest = {
  activationEvents: string[];
  contributes: {
    views: Record<string, { id: string }[]>;
    commands: { command: string; title: string; category?: string; enablement?: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    keybindings: { command: string; key: string; mac: string; when?: string }[];
    configuration: { properties: Record<string, unknown> };
  };
};

const readJson = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', name), 'utf8'));

describe('the contributions', () => {
  const { commands, views, menus, keybindings, configuration } = (readJson('package.json') as Manifest)
    .contributes;
  const english = readJson('package.nls.json') as Record<string, string>;

  const assertSameIds = (manifest: string[], code: Record<string, string>): void =>
    assert.deepEqual(manifest.sort(), Object.values(code).sort());

  it('name the same commands in the manifest and in the code', () => {
    assertSameIds(
      commands.map(({ command }) => command),
      Command,
    );
  });

  it('name the same settings in the manifest and in the code', () => {
    assertSameIds(Object.keys(configuration.properties), Setting);
  });

  it('name the same views in the manifest and in the code', () => {
    assertSameIds(
      Object.values(views).flatMap((list) => list.map(({ id }) => id)),
      View,
    );
  });

  it('wake the extension for the tabs that come back after a reload of the window', () => {
    const { activationEvents } = readJson('package.json') as Manifest;
    assert.deepEqual(
      activationEvents,
      Object.values(PanelType).map((type) => `onWebviewPanel:${type}`),
    );
  });

  it('put every command into the category Parley', () => {
    assert.deepEqual(
      commands.filter(({ category }) => category !== 'Parley'),
      [],
    );
  });

  it('keep the English titles of the commands', () => {
    const known = commands.filter(({ command }) => command in TITLES);
    assert.ok(known.length > 0);
    for (const { command, title } of known) {
      assert.equal(english[title.replaceAll('%', '')], TITLES[command], command);
    }
  });

  it('use only declared commands in menus and for keys, and declared ids in conditions', () => {
    const items = [...Object.values(menus).flat(), ...keybindings];
    const ids = new Set<string>(
      [Command, Setting, View, ContextKey].flatMap((group) => Object.values(group)),
    );
    const conditions = [
      ...items.map(({ when }) => when ?? ''),
      ...commands.map(({ enablement }) => enablement ?? ''),
    ];
    const named = [
      ...items.map(({ command }) => command),
      ...conditions.flatMap((condition) => [...(condition.match(/\bparley\.[\w.]+/g) ?? [])]),
    ];
    assert.deepEqual(
      named.filter((id) => !ids.has(id)),
      [],
    );
  });
});
