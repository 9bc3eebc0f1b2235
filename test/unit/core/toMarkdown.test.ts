import assert from 'node:assert/strict';
import { englishStrings } from '../../../src/core/chat/strings';
import type { BlockView } from '../../../src/core/session/state';
import { toJson, type ExportedTranscript } from '../../../src/core/session/toJson';
import { exportName, fenced, literal, toMarkdown } from '../../../src/core/session/toMarkdown';
import { patch, TestSession, text, tool } from '../../support/session';
import createMarkdownIt from 'markdown-it';

const parser = createMarkdownIt();
const written = (session: TestSession): string => toMarkdown(session.state, englishStrings);
/** The code blocks of a Markdown text, as a reader sees them. */
const codeOf = (markdown: string): string[] =>
  parser.parse(markdown, {}).flatMap(({ type, content }) => (type === 'fence' ? [content] : []));
/** The text of a Markdown text without its markup. */
const shown = (markdown: string): string =>
  parser
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ content }) => content)
    .join('');

const rich = (): TestSession => {
  const session = new TestSession().prompt('Fix *it*');
  session.apply({ type: 'terminalStarted', terminalId: 't1', command: 'npm test', cwd: '/w', at: 1 });
  session.apply({
    type: 'terminalScreen',
    terminalId: 't1',
    from: 0,
    hiddenLines: 2,
    lines: [[], [], [{ text: 'ok ', fg: '2' }, { text: '```' }], [{ text: 'done' }], []],
  });
  session.apply({ type: 'terminalExited', terminalId: 't1', code: 1, signal: null, at: 2 });
  return session.wire(
    text('Here **you** are:\n\n'),
    text('1. one\n'),
    tool('edit', {
      title: 'Edit a_b.ts',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: '/w/a_b.ts', line: 3 }],
      content: [{ type: 'diff', path: '/w/a_b.ts', oldText: 'one\n```\n', newText: 'two\n```\n' }],
    }),
    tool('run', {
      title: 'npm test',
      kind: 'execute',
      status: 'failed',
      content: [{ type: 'terminal', terminalId: 't1' }],
    }),
    tool('raw', { title: 'Look up', status: 'completed', rawInput: { q: '````' }, rawOutput: { a: 1 } }),
  );
};

describe('a transcript as Markdown', () => {
  it('holds what was said as it was sent, under headings', () => {
    const markdown = written(rich());
    assert.match(
      markdown,
      /^# Fix \\\*it\\\*\n\nTest\n\n## You\n\nFix \*it\*\n\nHere \*\*you\*\* are:\n\n1\. one\n\n### /,
    );
  });

  it('holds tool calls with status, places, diffs, outputs and exit codes', () => {
    const markdown = written(rich());
    assert.match(
      markdown,
      /### Edit a\\_b\.ts · Completed\n\n- `\/w\/a_b\.ts:3`\n\n`\/w\/a_b\.ts` \(\+1 −1\)\n/,
    );
    assert.match(markdown, /### npm test · Failed\n/);
    assert.match(markdown, /2 earlier lines are not kept here/);
    assert.match(markdown, /Exit code 1/);
    assert.deepEqual(codeOf(markdown), [
      '@@ -1,2 +1,2 @@\n-one\n+two\n ```\n',
      '$ npm test\nok ```\ndone\n',
      '{\n  "q": "````"\n}\n',
      '{\n  "a": 1\n}\n',
    ]);
  });

  it('fences text with more backticks than it holds in a row', () => {
    for (const inside of ['', 'a', '```\nx\n```', '`````', 'no newline', 'newline\n']) {
      const [found] = codeOf(`before\n\n${fenced(inside, 'x')}\n\nafter`);
      assert.equal(found, inside === '' || inside.endsWith('\n') ? inside : `${inside}\n`);
    }
  });

  it('makes no markup of titles, paths, names and notices', () => {
    for (const title of [
      '# a',
      '*a* _b_ `c`',
      '[x](y) <b> & ~~s~~',
      '1. a',
      '- a',
      '> q',
      '![i](u)',
      'a | b',
      '2) x',
      '\\*',
    ])
      assert.equal(shown(literal(title)), title);
    const session = new TestSession().prompt().wire(tool('x', { title: '[click](http://evil)\n# big' }));
    assert.match(written(session), /### \\\[click\\\]\(http:\/\/evil\) \\# big · Pending/);
  });

  it('CO-6 leaves out what is for the agent alone, and names what is no text', () => {
    const blocks: BlockView[] = [
      { type: 'text', text: 'secret', hidden: true },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'link', uri: 'file:///w/a.ts', name: 'a.ts' },
      { type: 'resource', uri: 'file:///w/b.ts', text: 'let b;' },
      { type: 'unknown', name: 'hologram' },
    ];
    const session = new TestSession().apply({ type: 'promptSubmitted', blocks, at: 1 });
    const markdown = written(session);
    assert.doesNotMatch(markdown, /secret|AAAA/);
    assert.match(
      markdown,
      /\*Image \(image\/png\)\*\n\na\.ts \(`file:\/\/\/w\/a\.ts`\)\n\n`file:\/\/\/w\/b\.ts`\n\n```\nlet b;\n```\n/,
    );
    assert.match(markdown, /hologram/);
  });

  it('tells thoughts, plans, answers, errors, notices, questions and ends that are not the usual one', () => {
    const session = new TestSession()
      .prompt('a')
      .wire(
        { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm\n\nwell' } },
        { sessionUpdate: 'plan', entries: [{ content: 'do', priority: 'high', status: 'completed' }] },
        tool('c', { title: 'rm', kind: 'execute', rawInput: { command: 'rm -r x' } }),
      );
    session
      .ask('p1', 'c')
      .answer('p1', 'no')
      .wire(patch('c', { status: 'failed' }))
      .end('max_tokens');
    session.apply({ type: 'noticeShown', severity: 'info', title: 'Note', description: 'why' });
    session.apply({ type: 'elicitationRequested', requestId: 'e', message: 'Where?', url: 'https://e.x/' });
    session.apply({ type: 'elicitationAnswered', requestId: 'e', action: 'decline' });
    session
      .prompt('b')
      .apply({ type: 'turnFailed', turn: 2, error: { message: 'no', detail: 'x', code: 5 }, at: 1 });
    const markdown = written(session);
    for (const part of [
      '> *Thought*\n>\n> hm\n>\n> well',
      '- [x] do',
      'Rejected: Reject',
      '*The turn ended: max\\_tokens*',
      '> Note\n>\n> why',
      '> Where?',
      '`https://e.x/`\n\n*You declined*',
      '**The turn failed** (Code 5): no\n\n```\nx\n```',
    ])
      assert.ok(markdown.includes(part), `${part}\n--- is not in ---\n${markdown}`);
  });

  it('names a file after the session, in any script, without what a file system minds', () => {
    const named = (title: string | null): string => exportName({ ...new TestSession().state, title });
    assert.equal(named('../a: "b" <c>?'), 'a-b-c');
    assert.equal(named('修复 日期'), '修复-日期');
    assert.equal(named('x'.repeat(90)).length, 60);
    assert.equal(named('...'), 'chat');
    assert.equal(named(null), 'chat');
  });

  it('is there for a session in which nothing happened', () => {
    assert.equal(written(new TestSession()), '# New chat\n\nTest\n');
  });
});

describe('a transcript as JSON', () => {
  it('holds every entry as plain data, with a version and with screens as text', () => {
    const session = rich();
    const exported = JSON.parse(toJson(session.state)) as ExportedTranscript;
    assert.equal(exported.format, 'parley-transcript');
    assert.equal(exported.version, 1);
    assert.deepEqual(
      exported.entries,
      session.state.entries.map((entry) => {
        const { version, ...rest } = structuredClone(entry);
        assert.ok(version > 0);
        return rest;
      }),
    );
    const [terminal] = exported.terminals;
    assert.equal(terminal?.output, 'ok ```\ndone');
    assert.equal(terminal?.command, 'npm test');
    assert.deepEqual(terminal?.exit, { code: 1, signal: null });
  });
});
