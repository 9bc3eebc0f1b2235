import { editFile } from './editFile';
import { listDirectory } from './listDirectory';
import { readFile } from './readFile';
import { runCommand } from './runCommand';
import { searchText } from './searchText';
import { taskComplete } from './taskComplete';
import type { Tool } from './tool';
import { writeFile } from './writeFile';

/** The tools by name. A new tool is added here and nowhere else. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [readFile, listDirectory, searchText, editFile, writeFile, runCommand, taskComplete].map((tool) => [
    tool.name,
    tool,
  ]),
);
