import assert from 'node:assert/strict';
import { MASKED, createMasker, maskJson } from '../../../../src/core/diagnostics/mask';

const KEY = ['sk', 'proj', 'a1B2c3D4e5F6g7H8i9J0'].join('-');
const GITHUB = `ghp_${'a1B2c3D4e5'.repeat(3)}`;
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'c2lnbmF0dXJl'].join('.');

describe('mask', () => {
  const mask = createMasker({ home: '/home/ann' });

  const cases: [what: string, text: string, masked: string][] = [
    ['the home folder', '/home/ann/work at /home/ann', '~/work at ~'],
    ['the home folder at the end of a sentence', 'Not found in /home/ann.', 'Not found in ~.'],
    ['the home folder in a list', 'PATH=/home/ann/bin:/usr/bin:/home/ann', 'PATH=~/bin:/usr/bin:~'],
    ['the home folder in an address', 'file:///home/ann/a%20b', 'file://~/a%20b'],
    ['an encoded home folder', 'x?folder=%2Fhome%2Fann%2Fwork', 'x?folder=~%2Fwork'],
    ['a home folder that is encoded twice', '%252Fhome%252Fann%252Fwork', '~%252Fwork'],
    ['a home folder after an escaped line end', String.raw`"at\n/home/ann/x"`, String.raw`"at\n~/x"`],
    ['a home folder after an option', 'cc -I/home/ann/x', 'cc -I~/x'],
    ['the name below another folder', '/media/ann/disk', '/media/[user]/disk'],
    [
      'the name in a path that became a name',
      '.claude/projects/-home-ann-work',
      '.claude/projects/-home-[user]-work',
    ],
    ['a folder that only begins alike', '/home/annabel/x', '/home/annabel/x'],
    ['a word that is the name', 'ann said', 'ann said'],
    ['keys of services', `${KEY} and ${GITHUB}`, `${MASKED} and ${MASKED}`],
    ['a JSON web token', `got ${JWT}!`, `got ${MASKED}!`],
    ['what follows a scheme', 'sent Bearer abcdef0123456789', `sent Bearer ${MASKED}`],
    ['a word after a scheme', 'Basic information', 'Basic information'],
    ['a header', 'Authorization: Basic YW5uOmh1bnRlcjI=', `Authorization: ${MASKED}`],
    ['cookies', 'Cookie: a=1; b=2\nnext', `Cookie: ${MASKED}\nnext`],
    ['a header in quotes', `curl -H "x-api-key: abc" u`, `curl -H "x-api-key: ${MASKED}" u`],
    ['user and password', 'https://ann:hunter2@host/x', `https://${MASKED}@host/x`],
    [
      'parameters of an address',
      'https://h/x?key=abc&page=2&access_token=d#f',
      `https://h/x?key=${MASKED}&page=2&access_token=${MASKED}#f`,
    ],
    ['a variable', 'OPENAI_API_KEY=abc npm test', `OPENAI_API_KEY=${MASKED} npm test`],
    ['a field', '{"apiKey":"abc","n":1}', `{"apiKey":"${MASKED}","n":1}`],
    [
      'a field in a string',
      String.raw`"{\"password\": \"a b\"}"`,
      String.raw`"{\"password\": \"${MASKED}\"}"`,
    ],
    ['an option', 'x --api-key abc --model m', `x --api-key ${MASKED} --model m`],
    ['an option with its value', '--api-key=abc -x', `--api-key=${MASKED} -x`],
    ['something long after key', `key=${'0aB9'.repeat(8)}`, `key=${MASKED}`],
    ['something short after key', 'key=Enter', 'key=Enter'],
    ['counts of tokens', '{"inputTokens":12,"maxTokens":4}', '{"inputTokens":12,"maxTokens":4}'],
    ['a message about a token', 'Unexpected token: end', 'Unexpected token: end'],
    ['the working folder', 'PWD=/srv/x', 'PWD=/srv/x'],
    [
      'a private key',
      '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx',
      `${MASKED}\nx`,
    ],
    ['plain text', 'Read 3 files in src/core, and no more.', 'Read 3 files in src/core, and no more.'],
  ];
  for (const [what, text, masked] of cases) {
    it(`masks, or leaves, ${what}`, () => {
      assert.equal(mask(text), masked);
      assert.equal(mask(masked), masked, 'a second time changes nothing');
    });
  }

  it('finds a home folder of Windows in every spelling', () => {
    const windows = createMasker({ home: String.raw`C:\Users\Jörg Æ`, user: 'joerg' });
    for (const home of [
      String.raw`C:\Users\Jörg Æ`,
      String.raw`c:\users\jörg æ`,
      String.raw`C:\\Users\\Jörg Æ`,
      String.raw`C:\\Users\\J\u00f6rg \u00c6`,
      'C:/Users/Jörg Æ',
      `C:/Users/${'Jörg Æ'.normalize('NFD')}`,
      '/c%3A/Users/J%C3%B6rg%20%C3%86',
      'C%3A%5CUsers%5CJ%C3%B6rg%20%C3%86',
      '/c/Users/Jörg Æ',
      '/mnt/c/Users/Jörg Æ',
      String.raw`/c/Users/Jörg\ Æ`,
    ]) {
      assert.equal(windows(`in ${home}/x`), 'in ~/x', home);
    }
    assert.equal(windows(String.raw`D:\joerg\x`), String.raw`D:\[user]\x`);
  });

  it('masks nothing as the home folder where there is none', () => {
    for (const home of ['', '/', 'C:\\']) assert.equal(createMasker({ home })('/a C:\\b'), '/a C:\\b');
  });

  it('leaves names that are no one, outside of the home folder', () => {
    assert.equal(createMasker({ home: '/root' })('/root/x /srv/root/x'), '~/x /srv/root/x');
  });

  it('masks secrets that are known, in an address and in JSON as well', () => {
    const known = createMasker({ home: '', secrets: ['a "b" c/d', 'abc', 'mask'] });
    assert.equal(
      known(String.raw`a "b" c/d a%20%22b%22%20c%2Fd a \"b\" c/d abc mask`),
      `${MASKED} ${MASKED} ${MASKED} abc ${MASKED}`,
    );
    assert.equal(known(MASKED), MASKED);
  });

  it('changes nothing the second time, whatever stands beside what', () => {
    const some = createMasker({ home: '/home/ann', user: 'bob', secrets: ['hunter2', 'masked', '/home'] });
    const parts =
      `/home/ann|ann|bob|/|~|.|-I|hunter2|${KEY}|${GITHUB}|${JWT}|Bearer |Basic |Authorization: |Cookie: |https://|@|?key=|&token=|token: |password=|"apiKey": |"|'|\\"|--api-key |abc|0123456789abcdefghij|${MASKED}|[user]|[|]| |\n|\\n|%2F|%5C|\\|=|:|key=|-home-|-----BEGIN PRIVATE KEY-----`.split(
        '|',
      );
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    for (let run = 0; run < 20_000; run += 1) {
      const text = Array.from({ length: 1 + random(8) }, () => parts[random(parts.length)]).join('');
      const once = some(text);
      assert.equal(some(once), once, `of ${JSON.stringify(text)}`);
    }
  });

  it('takes a time that grows with the text', () => {
    for (const piece of ['a', 'A1', '-', 'key=', '/', 'https://a', '"', '\\', 'eyJ', ' ', '%25']) {
      const text = piece.repeat(200_000 / piece.length);
      const from = performance.now();
      mask(text);
      assert.ok(performance.now() - from < 3000, piece);
    }
  });
});

describe('maskJson', () => {
  const mask = createMasker({ home: '/home/ann' });

  it('masks texts and names of fields, and what stands under the name of a secret as a whole', () => {
    assert.deepEqual(
      maskJson(
        {
          cwd: '/home/ann/x',
          changes: { '/home/ann/a': 1 },
          secret: { deep: ['x'] },
          apiKey: 'abc',
          token: null,
          list: [`Bearer ${KEY}`],
          usage: { inputTokens: 5, tokens: { output: 7 } },
          auth: { terminal: true },
        },
        mask,
      ),
      {
        cwd: '~/x',
        changes: { '~/a': 1 },
        secret: MASKED,
        apiKey: MASKED,
        token: null,
        list: [`Bearer ${MASKED}`],
        usage: { inputTokens: 5, tokens: { output: 7 } },
        auth: { terminal: true },
      },
    );
  });

  it('masks all values of environments and headers, and options of programs', () => {
    assert.deepEqual(
      maskJson(
        {
          env: [{ name: 'A', value: 'x' }],
          headers: { B: 'y', C: '' },
          args: ['--api-key', 'abc', '--token', '-v', 'run'],
          field: { name: 'GITHUB_TOKEN', value: 'z' },
        },
        mask,
      ),
      {
        env: [{ name: 'A', value: MASKED }],
        headers: { B: MASKED, C: '' },
        args: ['--api-key', MASKED, '--token', '-v', 'run'],
        field: { name: 'GITHUB_TOKEN', value: MASKED },
      },
    );
  });

  it('loses no field where two names become one, takes any name, and changes nothing the second time', () => {
    const value: unknown = JSON.parse('{"/home/ann":1,"~":2,"__proto__":{"password":"x"},"tokens":"abc"}');
    const once = maskJson(value, mask);
    assert.equal(
      JSON.stringify(once),
      `{"~":1,"~ (2)":2,"__proto__":{"password":"${MASKED}"},"tokens":"${MASKED}"}`,
    );
    assert.deepEqual(maskJson(once, mask), once);
  });

  it('takes any depth', () => {
    let value: unknown = 'x';
    for (let at = 0; at < 20_000; at += 1) value = [value];
    assert.ok(JSON.stringify(maskJson(value, mask)).includes(MASKED));
  });
});
