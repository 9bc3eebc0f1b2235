import assert from 'node:assert/strict';
import { parseRequest, type Step } from '../../../../src/agent/model/requests';

const steps = (prompt: string): readonly Step[] | string => {
  const request = parseRequest(prompt);
  return request.type === 'steps' ? request.steps : request.type;
};

const ONE_STEP: readonly [prompt: string, step: Step][] = [
  ['read src/a.js', { do: 'read', path: 'src/a.js' }],
  ['Please show me README.md.', { do: 'read', path: 'README.md' }],
  ['can you open the file "my notes.txt"?', { do: 'read', path: 'my notes.txt' }],
  ['读取 src/a.js', { do: 'read', path: 'src/a.js' }],
  ['请查看README.md的内容', { do: 'read', path: 'README.md' }],
  ['list', { do: 'list', path: '.' }],
  ['list .', { do: 'list', path: '.' }],
  ['list the files in src', { do: 'list', path: 'src' }],
  ['ls src/lib', { do: 'list', path: 'src/lib' }],
  ['列出 src 里的文件', { do: 'list', path: 'src' }],
  ['列出文件', { do: 'list', path: '.' }],
  ['search for hello', { do: 'search', text: 'hello', path: '.' }],
  ['search for "then in" in src', { do: 'search', text: 'then in', path: 'src' }],
  ['find two words in src/lib', { do: 'search', text: 'two words', path: 'src/lib' }],
  ['在 src 中搜索 你好', { do: 'search', text: '你好', path: 'src' }],
  ['搜索“两个词”', { do: 'search', text: '两个词', path: '.' }],
  ['replace "A b" with "C" in src/a.js', { do: 'replace', path: 'src/a.js', from: 'A b', to: 'C' }],
  ['replace foo with bar in a.txt.', { do: 'replace', path: 'a.txt', from: 'foo', to: 'bar' }],
  ['in a.txt change "A" to "B"', { do: 'replace', path: 'a.txt', from: 'A', to: 'B' }],
  ['In `a.txt`, replace `A` with ``', { do: 'replace', path: 'a.txt', from: 'A', to: '' }],
  ['把 src/a.js 里的"A"改成"B"', { do: 'replace', path: 'src/a.js', from: 'A', to: 'B' }],
  ['在src/a.js中把「A」替换为「B」', { do: 'replace', path: 'src/a.js', from: 'A', to: 'B' }],
  ['create notes.md with "one\\ntwo"', { do: 'create', path: 'notes.md', text: 'one\ntwo' }],
  ['create a new file called a.txt containing "x\ny"', { do: 'create', path: 'a.txt', text: 'x\ny' }],
  ['create empty.txt', { do: 'create', path: 'empty.txt', text: '' }],
  ['创建 notes.md 内容为“一些文字”', { do: 'create', path: 'notes.md', text: '一些文字' }],
  ['run npm test', { do: 'run', command: 'npm test' }],
  ['run `echo "a then b"`.', { do: 'run', command: 'echo "a then b"' }],
  ['run echo "a then b"', { do: 'run', command: 'echo "a then b"' }],
  ["run node -e 'console.log(1)'", { do: 'run', command: "node -e 'console.log(1)'" }],
  ['$ if true; then echo yes; fi', { do: 'run', command: 'if true; then echo yes; fi' }],
  ['run npm test.', { do: 'run', command: 'npm test' }],
  ['运行 npm test', { do: 'run', command: 'npm test' }],
];

describe('requests', () => {
  for (const [prompt, step] of ONE_STEP) {
    it(`understands: ${prompt.replaceAll('\n', '⏎')}`, () => assert.deepEqual(steps(prompt), [step]));
  }

  const three = ['read', 'search', 'run'];
  for (const prompt of [
    'read a.js then search for x and then run npm test',
    'First read a.js, then search for x, and then run npm test.',
    'read a.js\nsearch for x\nrun npm test',
    '1. read a.js\n2. search for x\n3. run npm test',
    '- read a.js\n- search for x\n$ npm test',
    '读取 a.js，然后搜索 x，然后运行 npm test',
    '读取 a.js,然后搜索 x。然后运行 npm test',
  ]) {
    it(`takes several steps: ${prompt.replaceAll('\n', '⏎')}`, () => {
      const found = steps(prompt);
      assert.ok(typeof found !== 'string');
      assert.deepEqual(
        found.map((step) => step.do),
        three,
      );
    });
  }

  it('takes commands and streams', () => {
    assert.deepEqual(parseRequest('/tour'), { type: 'tour' });
    assert.deepEqual(parseRequest('/help please'), { type: 'help' });
    assert.deepEqual(parseRequest('/compact the names'), { type: 'compact' });
    assert.deepEqual(parseRequest('Count slowly to 20'), { type: 'count', n: 20 });
    assert.deepEqual(parseRequest('慢慢数到 5'), { type: 'count', n: 5 });
    assert.deepEqual(parseRequest('write 4 paragraphs'), { type: 'paragraphs', n: 4 });
    assert.deepEqual(parseRequest('lorem 500'), { type: 'lorem', n: 500 });
    assert.deepEqual(parseRequest('lorem 99999999999'), { type: 'lorem', n: 100_000 });
  });

  it('does nothing of a request that it understands in part, and names the part', () => {
    const request = parseRequest('read a.js then paint "it" blue');
    assert.deepEqual(request, { type: 'other', part: 'paint "it" blue' });
  });

  for (const prompt of [
    '',
    '   ',
    'Hello there, who are you?',
    "what's the meaning of 'this",
    'show me what you can do',
    '\uE000 read',
  ])
    it(`leaves the rest: ${JSON.stringify(prompt)}`, () => assert.equal(steps(prompt), 'other'));
});
