import { resolveInside, shownPath } from '../access/paths';
import { EDITS } from './permissionScopes';
import { requiredString, ToolFailure, type Tool } from './tool';

/** `edit_file {path, oldText, newText}`: replaces a text wherever it is in a file. */
export const editFile: Tool = {
  name: 'edit_file',
  kind: 'edit',
  changes: true,
  start: (input, cwd) => {
    const path = resolveInside(cwd, requiredString(input, 'path'));
    const oldText = requiredString(input, 'oldText');
    const newText = requiredString(input, 'newText');
    if (oldText === '') throw new ToolFailure('The text to replace is empty.');
    return {
      title: `Edit ${shownPath(cwd, path)}`,
      locations: [{ path }],
      run: async ({ files, signal, permit }) => {
        const before = await files.read(path, signal);
        const places = before.split(oldText).length - 1;
        if (places === 0) throw new ToolFailure(`The text "${oldText}" is not in ${shownPath(cwd, path)}.`);
        const after = before.replaceAll(oldText, () => newText);
        await permit(EDITS, [{ type: 'diff', path, oldText: before, newText: after }]);
        await files.write(path, after, signal);
        return { output: `Replaced ${places} ${places === 1 ? 'place' : 'places'}.` };
      },
    };
  },
};
