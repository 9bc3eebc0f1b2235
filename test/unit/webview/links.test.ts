import assert from 'node:assert/strict';
import { isInlineImage, linkTarget } from '../../../src/webview/markdown/links';

describe('link targets', () => {
  const cases: readonly (readonly [string, ReturnType<typeof linkTarget>])[] = [
    ['https://example.com/a?b#c', { kind: 'link', href: 'https://example.com/a?b#c' }],
    ['mailto:a@example.com', { kind: 'link', href: 'mailto:a@example.com' }],
    ['src/date.ts', { kind: 'file', path: 'src/date.ts' }],
    ['src/date.ts:12', { kind: 'file', path: 'src/date.ts', line: 12 }],
    ['src/date.ts:12:4', { kind: 'file', path: 'src/date.ts', line: 12 }],
    ['date.ts:12', { kind: 'file', path: 'date.ts', line: 12 }],
    ['/abs/a%20b.ts#L3-L9', { kind: 'file', path: '/abs/a b.ts', line: 3 }],
    ['file:///home/ada/a.ts#L7', { kind: 'file', path: '/home/ada/a.ts', line: 7 }],
    ['file:///c:/a/b.ts', { kind: 'file', path: 'c:/a/b.ts' }],
    ['C:\\a\\b.ts:3', { kind: 'file', path: 'C:\\a\\b.ts', line: 3 }],
    ['javascript:alert(1)', undefined],
    ['javascript:1', undefined],
    ['JAVASCRIPT:x', undefined],
    ['command:parley.openChat', undefined],
    ['vscode://x', undefined],
    ['data:text/html,x', undefined],
    ['//host/share', undefined],
    ['\\\\host\\share\\a.png', undefined],
    ['/\\host/share', undefined],
    ['%5C%5Chost/share', undefined],
    ['/%5Chost/share:3', undefined],
    ['file:////host/share/a.png', undefined],
    ['file:///%5Chost/share/a.png', undefined],
    ['file://localhost//host/share', undefined],
    ['#anchor', undefined],
    ['', undefined],
  ];
  for (const [href, target] of cases)
    it(`reads ${JSON.stringify(href)}`, () => assert.deepEqual(linkTarget(href), target));

  it('takes only pictures that load nothing', () => {
    assert.equal(isInlineImage('data:image/png;base64,AA'), true);
    assert.equal(isInlineImage('data:image/svg+xml;base64,AA'), false);
    assert.equal(isInlineImage('https://example.com/a.png'), false);
  });
});
