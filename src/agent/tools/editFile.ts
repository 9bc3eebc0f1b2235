import { resolveInside, shownPath } from '../access/paths';
import { editScope } from './permissionScopes';
import { listed, replaceText } from './replaceText';
import { objectSchema, requiredString, ToolFailure, type Tool } from './tool';

/** `edit_file {path, oldText, newText, all?}`: replaces a text that is in a file once, or everywhere. */
export const editFile: Tool = {
  name: 'edit_file',
  kind: 'edit',
  changes: true,
  description:
    'Changes a file: replaces a text that is in it exactly once, or with all: true everywhere. Give the old text exactly as read_file shows it, with its white space, and as much of it as makes it unique. Line ends are kept as the file has them. Empty newText deletes.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', minLength: 1, description: 'The file, which has to exist.' },
      oldText: { type: 'string', description: 'The text that is replaced; it may have several lines.' },
      newText: { type: 'string', description: 'What takes its place.' },
      all: { type: 'boolean', description: 'Replace it everywhere in the file.' },
    },
    ['all'],
  ),
  start: (input, workspace) => {
    const path = resolveInside(workspace, requiredString(input, 'path'));
    const oldText = requiredString(input, 'oldText');
    const newText = requiredString(input, 'newText');
    const all = input['all'] === true;
    if (oldText === '')
      throw new ToolFailure(
        'The text to replace is empty: give the text at the place that you mean, or make a new file with write_file.',
      );
    return {
      title: `Edit ${shownPath(workspace, path)}`,
      locations: [{ path }],
      run: async (context) => {
        const { files, signal, permit } = context;
        const before = await files.read(path, signal);
        const { after, lines } = replaceText(before, { oldText, newText, all });
        await permit(await editScope(context, path), [
          { type: 'diff', path, oldText: before, newText: after },
        ]);
        if ((await files.read(path, signal)) !== before)
          throw new ToolFailure('The file was changed in the meantime: read it again, then edit it.');
        await files.write(path, after, signal);
        const where = `${lines.length === 1 ? 'line' : 'lines'} ${listed(lines)}`;
        return {
          output: `Replaced ${lines.length} ${lines.length === 1 ? 'place' : 'places'}, at ${where}.`,
        };
      },
    };
  },
};
