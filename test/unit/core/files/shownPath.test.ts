import assert from 'node:assert/strict';
import { shownPath } from '../../../../src/core/files/shownPath';

describe('a path beside a session', () => {
  const cases: [string, string | null, string][] = [
    ['/home/ada/shop/src/a.ts', '/home/ada/shop', 'src/a.ts'],
    ['/home/ada/shop/a.ts', '/home/ada/shop/', 'a.ts'],
    ['C:\\shop\\src\\a.ts', 'C:\\shop', 'src\\a.ts'],
    ['/home/ada/shop', '/home/ada/shop', '/home/ada/shop'],
    ['/home/ada/shop-2/a.ts', '/home/ada/shop', '/home/ada/shop-2/a.ts'],
    ['/home/ada/shop/../.ssh/id', '/home/ada/shop', '/home/ada/shop/../.ssh/id'],
    ['/etc/passwd', '/home/ada/shop', '/etc/passwd'],
    ['a.ts', null, 'a.ts'],
  ];
  for (const [path, folder, shown] of cases)
    it(`is ${shown} for ${path} in ${String(folder)}`, () => assert.equal(shownPath(path, folder), shown));
});
