import { resolveInside, shownPath } from '../access/paths';
import { editScope } from './permissionScopes';
import { objectSchema, requiredString, ToolFailure, type Tool, type ToolContext } from './tool';

/** `write_file {path, text, overwrite?}`: makes a new file, or gives an existing one another text as a whole. */
export const writeFile: Tool = {
  name: 'write_file',
  kind: 'edit',
  changes: true,
  description:
    'Makes a new file with this text; folders that are missing are made. A file that exists is replaced as a whole only with overwrite: true; change parts of it with edit_file instead.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', minLength: 1, description: 'The file.' },
      text: { type: 'string', description: 'All of its text.' },
      overwrite: { type: 'boolean', description: 'Replace the file if it exists.' },
    },
    ['overwrite'],
  ),
  start: (input, workspace) => {
    const path = resolveInside(workspace, requiredString(input, 'path'));
    const text = requiredString(input, 'text');
    const mayReplace = input['overwrite'] === true;
    const shown = shownPath(workspace, path);
    return {
      title: `${mayReplace ? 'Write' : 'Create'} ${shown}`,
      locations: [{ path }],
      run: async (context) => {
        const { files, signal, permit } = context;
        if (!mayReplace && (await files.exists(path)))
          throw new ToolFailure(
            `${shown} exists already: change it with edit_file, or replace it as a whole with "overwrite": true.`,
          );
        const oldText = await textNow(context, path);
        await permit(await editScope(context, path), [{ type: 'diff', path, oldText, newText: text }]);
        if ((await textNow(context, path)) !== oldText)
          throw new ToolFailure(`${shown} was changed in the meantime: look at it again first.`);
        await files.write(path, text, signal);
        return { output: oldText === null ? 'Created.' : 'Replaced the whole file.' };
      },
    };
  },
};

/** Null where there is no file. What can't be read as text is not replaced either: nobody could see what is lost. */
async function textNow({ files, signal }: ToolContext, path: string): Promise<string | null> {
  return (await files.exists(path)) ? files.read(path, signal) : null;
}
