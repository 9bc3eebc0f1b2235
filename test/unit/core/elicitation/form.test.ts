import assert from 'node:assert/strict';
import { readForm, type FieldView } from '../../../../src/core/elicitation/form';

const fieldOf = (property: object, required = false): FieldView | undefined =>
  readForm({ properties: { x: property }, ...(required ? { required: ['x'] } : {}) })?.fields[0];

const BASE = { name: 'x', label: 'x', required: false };

describe('form of an elicitation', () => {
  it('EL-12 EL-13 reads each type with its limits, texts and default', () => {
    const form = readForm({
      type: 'object',
      title: 'Deploy',
      description: 'Where to?',
      properties: {
        name: {
          type: 'string',
          title: 'Name',
          description: 'Of the release',
          minLength: 1,
          maxLength: 9,
          pattern: '^v',
          format: 'uri',
          default: 'v1',
        },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
        share: { type: 'number' },
        dry: { type: 'boolean', default: true },
        region: { type: 'string', enum: ['eu', 'us'], default: 'us' },
        size: { type: 'string', oneOf: [{ const: 's', title: 'Small', description: 'Cheap' }] },
        tags: {
          type: 'array',
          items: { type: 'string', enum: ['a', 'b'] },
          minItems: 1,
          maxItems: 2,
          default: ['b'],
        },
        marks: { type: 'array', items: { anyOf: [{ const: 'm', title: 'M' }] } },
      },
      required: ['name', 'region'],
    });
    assert.deepEqual(form, {
      title: 'Deploy',
      description: 'Where to?',
      fields: [
        {
          name: 'name',
          label: 'Name',
          description: 'Of the release',
          required: true,
          type: 'text',
          secret: false,
          minLength: 1,
          maxLength: 9,
          pattern: '^v',
          format: 'uri',
          default: 'v1',
        },
        {
          ...BASE,
          name: 'count',
          label: 'count',
          type: 'number',
          integer: true,
          minimum: 1,
          maximum: 5,
          default: 2,
        },
        { ...BASE, name: 'share', label: 'share', type: 'number', integer: false },
        { ...BASE, name: 'dry', label: 'dry', type: 'boolean', default: true },
        {
          name: 'region',
          label: 'region',
          required: true,
          type: 'choice',
          options: [
            { value: 'eu', label: 'eu' },
            { value: 'us', label: 'us' },
          ],
          default: 'us',
        },
        {
          ...BASE,
          name: 'size',
          label: 'size',
          type: 'choice',
          options: [{ value: 's', label: 'Small', description: 'Cheap' }],
        },
        {
          ...BASE,
          name: 'tags',
          label: 'tags',
          type: 'choices',
          options: [
            { value: 'a', label: 'a' },
            { value: 'b', label: 'b' },
          ],
          minItems: 1,
          maxItems: 2,
          default: ['b'],
        },
        { ...BASE, name: 'marks', label: 'marks', type: 'choices', options: [{ value: 'm', label: 'M' }] },
      ],
    });
  });

  it('EL-13 takes null for what is left out, and nothing at all for a form without fields', () => {
    const nothing = {
      title: null,
      description: null,
      minLength: null,
      pattern: null,
      format: null,
      default: null,
    };
    assert.deepEqual(fieldOf({ type: 'string', ...nothing, enum: null, oneOf: null }), {
      ...BASE,
      type: 'text',
      secret: false,
    });
    assert.deepEqual(readForm({ required: null }), { fields: [] });
  });

  it('EL-5 leaves out an optional field of an unknown kind and refuses a form that requires one', () => {
    const unknown = [
      { type: '_colour' },
      { type: 'object' },
      { enum: ['a'] },
      { type: 'array', items: { type: '_colour', enum: ['a'] } },
      { type: 'array', items: { type: 'string' } },
      { type: 'string', enum: [] },
      'text',
    ];
    for (const property of unknown) {
      const properties = { x: property, y: { type: 'boolean' } };
      const names = readForm({ properties })?.fields.map((field) => field.name);
      assert.deepEqual(names, ['y'], JSON.stringify(property));
      assert.equal(readForm({ properties, required: ['x'] }), undefined, JSON.stringify(property));
    }
    assert.equal(readForm({ properties: {}, required: ['missing'] }), undefined);
  });

  it('EL-12 does not pre-fill what is no option', () => {
    assert.equal(fieldOf({ type: 'string', enum: ['a'], default: 'b' })?.default, undefined);
    const many = fieldOf({
      type: 'array',
      items: { type: 'string', enum: ['a', 'b'] },
      default: ['c', 'a', 1],
    });
    assert.deepEqual(many?.default, ['a']);
  });

  it('EL-15 marks fields that look like a secret', () => {
    const isSecret = (property: object): boolean => {
      const field = fieldOf({ type: 'string', ...property });
      return field?.type === 'text' && field.secret;
    };
    for (const title of ['Password', 'API key', 'api_key', 'Access Token', 'PIN', 'Passphrase', '密码'])
      assert.ok(isSecret({ title }), title);
    for (const title of ['Name', 'Spinning', 'Passenger', '名称']) assert.ok(!isSecret({ title }), title);
  });

  it('EL-13 keeps names that are also those of inherited members', () => {
    const schema: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"boolean"},"constructor":{"type":"string"}}}',
    );
    assert.deepEqual(
      readForm(schema)?.fields.map((field) => field.name),
      ['__proto__', 'constructor'],
    );
  });

  it('EL-3 cuts endless texts that are only shown', () => {
    const field = fieldOf({ type: 'boolean', title: 'x'.repeat(100_000), description: 'y'.repeat(100_000) });
    assert.ok((field?.label.length ?? 0) < 3_000);
    assert.ok((field?.description?.length ?? 0) < 3_000);
  });
});
