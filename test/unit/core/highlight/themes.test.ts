import assert from 'node:assert/strict';
import {
  activeTheme,
  contributedThemes,
  type ThemeSettings,
} from '../../../../src/core/highlight/chooseTheme';
import { parsePlist } from '../../../../src/core/highlight/plist';
import { customRules, readColor, readRules } from '../../../../src/core/highlight/themeRules';

const MANIFEST = {
  contributes: {
    themes: [
      { id: 'Night', label: '%night%', uiTheme: 'vs-dark', path: './night.json' },
      { label: 'Day', uiTheme: 'vs', path: './day.json' },
      { label: 'Stark', uiTheme: 'hc-black', path: './stark.json' },
      { label: 'Dusk', uiTheme: 'vs-dark', path: './dusk.json' },
      { label: 'No path', uiTheme: 'vs' },
      'nonsense',
    ],
  },
};

const SETTINGS: ThemeSettings = {
  colorTheme: 'Night',
  preferredDark: 'Dusk',
  preferredLight: 'Day',
  preferredHcDark: 'Stark',
  preferredHcLight: undefined,
  detectScheme: false,
  detectHighContrast: true,
};

describe('which theme is on screen', () => {
  const themes = contributedThemes(MANIFEST, '/ext');

  it('reads the themes of a manifest, whatever else it holds', () => {
    assert.deepEqual(
      themes.map(({ name, kind }) => [name, kind]),
      [
        ['Night', 'dark'],
        ['Day', 'light'],
        ['Stark', 'hcDark'],
        ['Dusk', 'dark'],
      ],
    );
    for (const manifest of [undefined, {}, { contributes: 1 }, { contributes: { themes: {} } }])
      assert.deepEqual(contributedThemes(manifest, '/ext'), []);
  });

  const name = (change: Partial<ThemeSettings>, kind: Parameters<typeof activeTheme>[2]) =>
    activeTheme(themes, { ...SETTINGS, ...change }, kind)?.name;

  it('is the one of the setting', () => assert.equal(name({}, 'dark'), 'Night'));

  it('is the preferred one of the kind where the system decides', () => {
    assert.equal(name({ detectScheme: true }, 'dark'), 'Dusk');
    assert.equal(name({ detectScheme: true }, 'light'), 'Day');
    assert.equal(name({}, 'hcDark'), 'Stark');
  });

  it('is not known while one of another kind is tried out, or when none has the name', () => {
    assert.equal(name({ preferredLight: 'Night' }, 'light'), undefined);
    assert.equal(name({ colorTheme: 'Gone' }, 'dark'), undefined);
    assert.equal(name({ colorTheme: 3 }, 'dark'), undefined);
  });
});

describe('the rules of a theme', () => {
  it('takes colours in the forms of the editor only', () => {
    for (const color of ['#abc', '#abcd', '#AABBCC', '#aabbccdd']) assert.equal(readColor(color), color);
    for (const color of ['red', '#ab', '#aabbc', 'url(x)', '#abcdefg', 1, null])
      assert.equal(readColor(color), undefined);
  });

  it('leaves out what is no rule', () => {
    assert.deepEqual(
      readRules([
        { scope: 'comment', settings: { foreground: '#111111', fontStyle: 'italic' } },
        { scope: ['a', 2, 'b'], settings: { foreground: 'red' } },
        { settings: { foreground: '#222222' } },
        { settings: {} },
        { scope: 7, settings: { foreground: '#333333' } },
        null,
      ]),
      [
        { scope: 'comment', settings: { foreground: '#111111' } },
        { scope: ['a', 'b'], settings: {} },
        { settings: { foreground: '#222222' } },
      ],
    );
  });

  it('adds what the settings change, for this theme last', () => {
    const rules = customRules(
      {
        comments: '#000001',
        strings: { foreground: '#000002', fontStyle: 'bold' },
        '[Night]': { comments: '#000003' },
        '[Day][N*t]': { textMateRules: [{ scope: 'x', settings: { foreground: '#000004' } }] },
        '[Nigh]': { comments: '#000005' },
      },
      'Night',
    );
    assert.deepEqual(
      rules.map(({ scope, settings }) => [[scope].flat()[0], settings.foreground]),
      [
        ['comment', '#000001'],
        ['string', '#000002'],
        ['comment', '#000003'],
        ['x', '#000004'],
      ],
    );
    assert.deepEqual(customRules(null, 'Night'), []);
  });
});

describe('property lists', () => {
  it('reads the themes of TextMate', () => {
    const theme = parsePlist(`<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">
<plist version="1.0"><!-- a note --><dict>
  <key>name</key><string>A &amp; B</string>
  <key>settings</key><array>
    <dict><key>scope</key><string>comment</string><key>settings</key><dict><key>foreground</key><string>#123456</string></dict></dict>
    <dict/><true/><string></string>
  </array>
</dict></plist>`);
    assert.deepEqual(theme, {
      name: 'A & B',
      settings: [{ scope: 'comment', settings: { foreground: '#123456' } }, {}, '', ''],
    });
  });

  it('fails for a list that ends too early or is none', () => {
    for (const text of ['', '<plist><array><string>', 'nonsense', '<plist><dict><key>a</key>'])
      assert.throws(() => parsePlist(text), text);
  });
});
