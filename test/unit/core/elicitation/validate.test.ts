import assert from 'node:assert/strict';
import { readForm, type FormView } from '../../../../src/core/elicitation/form';
import { matchesFormat, type TextFormat } from '../../../../src/core/elicitation/formats';
import {
  answersOf,
  validateField,
  validateForm,
  type FieldProblem,
} from '../../../../src/core/elicitation/validate';

const formOf = (properties: object, required: string[] = []): FormView =>
  readForm({ properties, required }) ?? assert.fail('the form is not readable');

/** The problem of a value in a field with that schema. */
const problemOf = (property: object, value: unknown, required = false): FieldProblem | undefined => {
  const [field] = formOf({ x: property }, required ? ['x'] : []).fields;
  return field ? validateField(field, value) : assert.fail('the field is not readable');
};

const kindOf = (property: object, value: unknown, required = false): string | undefined =>
  problemOf(property, value, required)?.kind;

const TAGS = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };

describe('values of a form', () => {
  it('EL-11 wants a value for a required field only', () => {
    for (const type of ['string', 'number', 'integer', 'boolean']) {
      for (const value of [undefined, null, '']) {
        assert.equal(kindOf({ type }, value, true), 'required', `${type} ${String(value)}`);
        assert.equal(kindOf({ type }, value), undefined);
      }
    }
    assert.equal(kindOf(TAGS, undefined, true), 'required');
    assert.equal(kindOf({ type: 'boolean' }, false, true), undefined);
    assert.equal(kindOf({ type: 'number' }, 0, true), undefined);
  });

  it('EL-11 counts the code points of a text', () => {
    const property = { type: 'string', minLength: 2, maxLength: 3 };
    assert.deepEqual(problemOf(property, '😀'), { kind: 'tooShort', min: 2 });
    assert.equal(problemOf(property, '😀😀😀'), undefined);
    assert.deepEqual(problemOf(property, 'abcd'), { kind: 'tooLong', max: 3 });
    assert.deepEqual(problemOf({ type: 'string', maxLength: 0 }, 'a'), { kind: 'tooLong', max: 0 });
  });

  it('EL-11 EL-14 checks the pattern of a text where that can be done', () => {
    assert.deepEqual(problemOf({ type: 'string', pattern: '^v\\d+$' }, 'x1'), {
      kind: 'pattern',
      pattern: '^v\\d+$',
    });
    assert.equal(problemOf({ type: 'string', pattern: '^v\\d+$' }, 'v12'), undefined);
    assert.equal(problemOf({ type: 'string', pattern: '(' }, 'x'), undefined);
    assert.equal(problemOf({ type: 'string', pattern: '^(?!x)' }, 'x'), undefined);
  });

  it('EL-11 checks numbers', () => {
    const property = { type: 'integer', minimum: 1, maximum: 3 };
    assert.deepEqual(
      [0, 1, 3, 4, 1.5].map((value) => kindOf(property, value)),
      ['tooSmall', undefined, undefined, 'tooLarge', 'notInteger'],
    );
    assert.equal(kindOf({ type: 'number' }, 1.5), undefined);
    for (const value of ['1', NaN, Infinity, true, [1]])
      assert.equal(kindOf({ type: 'number' }, value), 'notNumber');
  });

  it('EL-11 takes only what is offered, and as many as asked for', () => {
    const region = { type: 'string', enum: ['eu', 'us'] };
    assert.equal(kindOf(region, 'eu'), undefined);
    assert.equal(kindOf(region, 'cn'), 'unknownOption');
    assert.equal(kindOf(region, ['eu']), 'wrongType');
    assert.equal(kindOf({ type: 'string', enum: ['', 'a'] }, '', true), undefined);
    const tags = { ...TAGS, minItems: 1, maxItems: 2 };
    assert.deepEqual(problemOf(tags, ['a', 'b', 'c']), { kind: 'tooMany', max: 2 });
    assert.deepEqual(problemOf(tags, [], true), { kind: 'tooFew', min: 1 });
    assert.equal(problemOf(tags, []), undefined);
    assert.equal(problemOf(TAGS, [], true), undefined);
    assert.equal(kindOf(tags, ['a', 'x']), 'unknownOption');
    assert.equal(kindOf(tags, ['a', 1]), 'unknownOption');
    assert.equal(kindOf(tags, 'a'), 'wrongType');
  });

  it('EL-11 refuses values of another type', () => {
    assert.equal(kindOf({ type: 'string' }, 1), 'wrongType');
    assert.equal(kindOf({ type: 'string' }, ['a']), 'wrongType');
    assert.equal(kindOf({ type: 'boolean' }, 'true'), 'wrongType');
    assert.equal(kindOf({ type: 'boolean' }, 0), 'wrongType');
  });

  it('EL-11 EL-13 checks the formats that the protocol names and no other', () => {
    assert.deepEqual(problemOf({ type: 'string', format: 'email' }, 'a'), {
      kind: 'format',
      format: 'email',
    });
    assert.equal(problemOf({ type: 'string', format: '_colour' }, 'a'), undefined);
    const texts: Record<TextFormat, [good: string[], bad: string[]]> = {
      email: [
        ['a@b.cd', "o'neil+x@sub.example.com", 'te~st@example.com', '"a b"@example.com', 'a@[127.0.0.1]'],
        ['a', '@b.c', 'a@', 'a@b@c.d', '.a@b.c', 'a..b@c.d', 'a b@c.d', 'a@-b.c', 'a@b_c.d', 'a@b.c\n'],
      ],
      uri: [
        [
          'https://a.b/c?d=e#f',
          'mailto:a@b.c',
          'urn:x:y',
          'http://[::1]:80/',
          'https://a/%20',
          'ftp://u:p@h/',
        ],
        [
          'a',
          '/a',
          '//a.b',
          'http://a b',
          'http://a/\\',
          'http://a/<b>',
          'http://a:b/',
          'http://a/%2',
          ':x',
          'é:x',
        ],
      ],
      date: [
        ['2024-02-29', '2000-02-29', '1999-12-31'],
        ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-01', '2024-04-31', '2024-1-1', '2024-01-00', ''],
      ],
      'date-time': [
        [
          '2024-02-29T23:59:59Z',
          '2024-01-01t00:00:00.123z',
          '2024-01-01T00:00:00+14:00',
          '2016-12-31T23:59:60Z',
        ],
        [
          '2024-02-30T00:00:00Z',
          '2024-01-01T24:00:00Z',
          '2024-01-01T00:60:00Z',
          '2024-01-01T00:00:00',
          '2024-01-01T00:00Z',
          '2024-01-01',
          '2024-01-01T00:00:00+25:00',
        ],
      ],
    };
    for (const [format, [good, bad]] of Object.entries(texts) as [TextFormat, [string[], string[]]][]) {
      for (const text of good) assert.ok(matchesFormat(format, text), `${format} ${text}`);
      for (const text of bad) assert.ok(!matchesFormat(format, text), `not ${format} ${text}`);
    }
  });

  it('EL-14 checks the formats of long texts in no time', () => {
    const begin = process.hrtime.bigint();
    for (const format of ['email', 'uri', 'date', 'date-time'] as const) {
      for (const part of ['a', 'a.', 'a@', '"', '%', '1', 'http://', 'a:'])
        matchesFormat(format, `a:${part.repeat(50_000)} `);
    }
    assert.ok(Number(process.hrtime.bigint() - begin) / 1e9 < 2);
  });

  it('EL-11 names each field with a problem, whatever it is called', () => {
    const form = formOf(
      JSON.parse(
        '{"__proto__":{"type":"boolean"},"constructor":{"type":"string"},"ok":{"type":"number"}}',
      ) as object,
      ['__proto__', 'constructor', 'ok'],
    );
    const problems = validateForm(form, { ok: 1 });
    assert.deepEqual(Object.keys(problems), ['__proto__', 'constructor']);
    assert.deepEqual(Object.values(problems), [{ kind: 'required' }, { kind: 'required' }]);
    const values = JSON.parse('{"__proto__":true,"constructor":"c","ok":1}') as Record<string, unknown>;
    assert.deepEqual(validateForm(form, values), {});
    assert.equal(JSON.stringify(answersOf(form, values)), JSON.stringify(values));
  });

  it('EL-11 sends known fields alone, without those that were left out', () => {
    const form = formOf({
      a: { type: 'string' },
      b: { type: 'string' },
      n: { type: 'number' },
      t: TAGS,
      u: { ...TAGS, minItems: 1 },
    });
    const values = { a: '', b: 'x', n: 0, t: [], u: [], other: 'y' };
    assert.deepEqual(answersOf(form, values), { b: 'x', n: 0, t: [] });
    assert.notEqual(answersOf(form, values)['t'], values.t);
  });
});
