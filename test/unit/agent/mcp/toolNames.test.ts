import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ToolNames } from '../../../../src/agent/mcp/toolNames';

describe('names of MCP tools', () => {
  it('tells server and tool, in characters that models take', () => {
    const names = new ToolNames();
    assert.equal(names.nameOf(0, 'my files', 'read.file/now'), 'mcp__my_files__read_file_now');
  });

  it('is the same for a tool that is listed again', () => {
    const names = new ToolNames();
    const first = names.nameOf(0, 'a', 'x');
    names.nameOf(0, 'a', 'y');
    assert.equal(names.nameOf(0, 'a', 'x'), first);
  });

  it('tells servers of one name apart', () => {
    const names = new ToolNames();
    assert.notEqual(names.nameOf(0, 'a', 'x'), names.nameOf(1, 'a', 'x'));
  });

  it('is unique and fits, whatever the names are', () => {
    const tool = fc.tuple(
      fc.nat(2),
      fc.constantFrom('a', 'a.', 'ä', 's'.repeat(80)),
      fc.oneof(fc.string(), fc.constantFrom('x', 'x!', 't'.repeat(90), `${'t'.repeat(90)}2`, '')),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { selector: (item) => JSON.stringify(item), maxLength: 40 }),
        (tools) => {
          const names = new ToolNames();
          const byKey = new Map(
            tools.map(([server, serverName, name]) => [
              `${server} ${name}`,
              names.nameOf(server, serverName, name),
            ]),
          );
          assert.equal(new Set(byKey.values()).size, byKey.size);
          for (const name of byKey.values()) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
        },
      ),
    );
  });
});
