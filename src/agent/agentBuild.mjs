// How the built-in agent is bundled: its program, and what that loads from a file beside it when it is first needed.

/** What is loaded late: how it is imported, where it begins, and the name of its file. */
const PARTS = [
  { path: './libraries', from: 'src/agent/model/providers/libraries.ts', name: 'agentModels' },
  { path: './mcpClient', from: 'src/agent/mcp/mcpClient.ts', name: 'agentMcp' },
  { path: './pageText', from: 'src/agent/tools/pageText.ts', name: 'agentPage' },
];

/** Leaves the parts out of the program. */
const partsApart = {
  name: 'parts of the agent',
  setup(job) {
    for (const { path, name } of PARTS) {
      const filter = new RegExp(`^${path.replaceAll('.', '\\.')}$`);
      job.onResolve({ filter }, () => ({ path: `./${name}.js`, external: true }));
    }
  },
};

/** Leaves the validator of JSON schemas out of the MCP client, which is given another one (see mcp/mcpClient.ts). */
const noValidator = {
  name: 'MCP client without a validator',
  setup(job) {
    const filter = /^@modelcontextprotocol\/client\/_shims$/;
    job.onResolve({ filter }, ({ path }) => ({ path, namespace: 'no-validator' }));
    job.onLoad({ filter, namespace: 'no-validator' }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }));
  },
};

/** What the agent's bundles need beside the options of every program for Node. */
export const agentBuild = {
  entryPoints: {
    agent: 'src/agent/main.ts',
    ...Object.fromEntries(PARTS.map(({ name, from }) => [name, from])),
  },
  // Its files are loaded as they are in a folder without a package.json as well.
  supported: { 'dynamic-import': false },
  plugins: [partsApart, noValidator],
};
