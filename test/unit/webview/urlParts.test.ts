import assert from 'node:assert/strict';
import { inspectUrl } from '../../../src/core/elicitation/url';
import { urlParts } from '../../../src/webview/transcript/urlParts';

describe('the parts of an address', () => {
  for (const [href, host] of [
    ['https://example.com/a?b=c', 'example.com'],
    ['https://example.com', 'example.com'],
    ['https://good.example@evil.example/x', 'evil.example'],
    ['https://a:b@evil.example:8443/good.example@x', 'evil.example'],
    ['https://example.com?to=@other.example', 'example.com'],
    ['http://[::1]:3000/x', '[::1]'],
  ] as const)
    it(`EL-24 are cut around the host of ${href}`, () => {
      const parts = urlParts(inspectUrl(href));
      assert.equal(parts[1], host);
      assert.equal(parts.join(''), href);
    });

  it('EL-22 are the whole text where there is no address in it', () => {
    assert.deepEqual(urlParts(inspectUrl('not an address')), ['not an address', '', '']);
  });
});
