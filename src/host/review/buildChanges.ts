import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../core/emitter';
import type { Base } from '../base';
import { ChangeTracker } from './changeTracker';
import { ChangeViews } from './changeViews';
import { countChanges } from './lineCounts';
import { vscodeFolders } from './vscodeFolders';

/** What keeps track of the agents' changes in this window, and shows them. */
export interface Changes {
  tracker: ChangeTracker;
  views: ChangeViews;
  /** A review wrote a file for the person: that is no work of a turn that runs. */
  writtenForPerson: (path: string) => void;
}

/** `storage` is the folder of this workspace in the extension's storage. */
export function buildChanges(
  { scope, log, environment, find }: Pick<Base, 'scope' | 'log' | 'environment' | 'find'>,
  storage: string,
): Changes {
  const written = scope.add(new Emitter<string>());
  const tracker = new ChangeTracker({
    storage: join(storage, 'changes'),
    folders: {
      ...vscodeFolders,
      onDidSave: (listener) =>
        vscode.Disposable.from(
          vscodeFolders.onDidSave(listener),
          written.event((path) => listener(path)),
        ),
    },
    isTrusted: () => vscode.workspace.isTrusted,
    environment,
    log: (line) => log.main.info(line),
    now: Date.now,
  });
  const views = new ChangeViews({
    records: tracker.records,
    contents: tracker.contents,
    countChanges,
    session: (key) => find(key)?.store,
    log: (line) => log.main.info(line),
  });
  return { tracker, views: scope.add(views), writtenForPerson: (path) => written.fire(path) };
}
