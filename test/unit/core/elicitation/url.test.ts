import assert from 'node:assert/strict';
import { inspectUrl, MAX_URL, type UrlWarning } from '../../../../src/core/elicitation/url';

const warningsOf = (text: string): UrlWarning[] => {
  const view = inspectUrl(text);
  assert.ok(view.valid, text);
  return view.warnings;
};

describe('address of a page that an agent wants to be opened', () => {
  it('EL-21 EL-22 names the host and keeps the whole text', () => {
    const text = 'https://Login.Example.com/a/b?c=d%20e#f';
    assert.deepEqual(inspectUrl(text), {
      valid: true,
      href: text,
      host: 'Login.Example.com',
      asciiHost: 'login.example.com',
      warnings: [],
      allowed: true,
    });
  });

  it('EL-24 allows https, and http to this machine alone', () => {
    const allowed = [
      'https://a.b',
      'HTTPS://a.b/',
      'https://a.b?x',
      'http://localhost',
      'http://LOCALHOST:3000/x',
      'http://127.0.0.1:8080',
      'http://[::1]:1/',
    ];
    const refused = [
      'http://a.b',
      'http://localhost.evil.com',
      'http://localhost@evil.com',
      'http://127.0.0.2',
      'http://[::2]',
      'http://evil.com#localhost',
      'http://evil.com?@localhost',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'vscode://x.y/z',
      'ftp://a.b',
      'data:text/html,x',
      'command:x',
      'mailto:a@b.c',
    ];
    for (const text of allowed) assert.ok(inspectUrl(text).allowed, text);
    for (const text of refused) assert.ok(!inspectUrl(text).allowed, text);
  });

  it('EL-24 finds the host that a browser would go to', () => {
    const texts = [
      'https://good.com@evil.com/',
      'https://good.com:pw@evil.com',
      'https://a@b@evil.com',
      'https://evil.com?@good.com',
      'https://evil.com#@good.com/',
      'https://evil.com/@good.com',
      'https://evil.com:443/',
      'https://EVIL.com.:8443',
      'https://bücher.example',
      'https://日本語.jp/',
      'https://аpple.com',
      'https://他们为什么不说中文.cn',
      'https://Pročprostěnemluvíčesky.cz',
      'https://ΑΒΓ.gr',
      'https://[2001:DB8::1]:8443/',
      'https://a_b.c',
      'https://1.2.3.4',
      'https://xn--bcher-kva.example',
    ];
    for (const text of texts) assert.equal(inspectUrl(text).asciiHost, new URL(text).hostname, text);
  });

  it('EL-24 takes nothing that browsers repair or read in different ways', () => {
    const invalid = [
      '',
      'a',
      'https:',
      'https:a.b',
      'https:/a.b',
      'https:///a.b',
      'https://',
      'https://@',
      'https://a b',
      'https://a.b/c d',
      ' https://a.b',
      'https://a.b\n',
      'https://a\t.b',
      'https:\\\\a.b',
      'https://a.b\\@c.d',
      'https://a\u0000.b',
      'https://a\u200b.b',
      'https://a.b/\u202etxt.exe',
      'https://a..b',
      'https://.a',
      'https://a.b:99999',
      'https://a.b:x',
      'https://%61.b',
      'https://a／b.c',
      'https://ＥXAMPLE.com',
      'https://a。b',
      'https://2130706433',
      'https://0x7f.1',
      'https://127.1',
      'https://256.1.1.1',
      'https://[::1',
      'https://[1:2]',
      'https://[::1::2]',
      'https://[:::]',
      'https://a<b>.c',
      `https://${'a'.repeat(64)}.com`,
      `https://a.b/${'c'.repeat(MAX_URL)}`,
    ];
    for (const text of invalid) {
      const expected = { valid: false, href: text, host: '', asciiHost: '', warnings: [], allowed: false };
      assert.deepEqual(inspectUrl(text), expected, JSON.stringify(text));
    }
  });

  it('EL-24 warns of what could deceive', () => {
    assert.deepEqual(warningsOf('https://example.com:443/'), []);
    assert.deepEqual(warningsOf('http://example.com:80/'), ['notHttps']);
    assert.deepEqual(warningsOf('https://xn--pple-43d.com'), ['punycode']);
    assert.deepEqual(warningsOf('https://bücher.example'), ['punycode']);
    assert.deepEqual(warningsOf('https://日本語.jp'), ['punycode']);
    assert.deepEqual(warningsOf('https://ひらがなカタカナ漢字.jp'), ['punycode']);
    assert.deepEqual(warningsOf('https://pаypal.com'), ['punycode', 'mixedScripts']);
    assert.deepEqual(warningsOf('https://googleไ.com'), ['punycode', 'mixedScripts']);
    assert.deepEqual(warningsOf('https://bank.com@evil.com'), ['userInfo']);
    assert.deepEqual(warningsOf('https://a.b:8443'), ['unusualPort']);
    assert.deepEqual(warningsOf('https://a.b:80'), ['unusualPort']);
    assert.deepEqual(warningsOf('https://192.168.0.1'), ['ipAddress']);
    assert.deepEqual(warningsOf('https://[2001:db8::1]:81'), ['unusualPort', 'ipAddress']);
    assert.deepEqual(warningsOf('http://localhost:3000'), ['notHttps']);
    assert.deepEqual(warningsOf('http://127.0.0.1:3000'), ['notHttps']);
  });

  it('EL-24 takes long hosts apart in no time', () => {
    const begin = process.hrtime.bigint();
    for (const part of ['a.', '@', ':', '[', 'é', 'xn--', '1.', '::'])
      inspectUrl(`https://${part.repeat(7_900 / part.length)}`);
    assert.ok(Number(process.hrtime.bigint() - begin) / 1e9 < 2);
  });
});
