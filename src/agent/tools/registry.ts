import { editFile } from './editFile';
import { fetchUrl } from './fetchUrl';
import { findFiles } from './findFiles';
import { checked } from './input';
import { listDirectory } from './listDirectory';
import { readFile } from './readFile';
import { runCommand } from './runCommand';
import { searchText } from './searchText';
import { taskComplete } from './taskComplete';
import type { Tool } from './tool';
import { updatePlan } from './updatePlan';
import { writeFile } from './writeFile';

const ALL: readonly Tool[] = [
  readFile,
  listDirectory,
  findFiles,
  searchText,
  editFile,
  writeFile,
  runCommand,
  fetchUrl,
  updatePlan,
  taskComplete,
];

/** The tools by name. A new tool is added here and nowhere else. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(ALL.map((tool) => [tool.name, checked(tool)]));
