import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { examplesFile } from '../../../specifications/generated/openapi-example.ts';
import { resolved, type Schema } from '../operations.ts';

const nameCharacters = [..."abcXYZ019_.!~*'()-"];

/** The texts of all examples: what is generated would seldom hit upon a name that means something. */
const knownTexts = [...new Set(textsIn(examples()))];

function examples(): unknown[] {
  return Object.values<{ body?: unknown }>(JSON.parse(readFileSync(examplesFile, 'utf8'))).map(({ body }) => body);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Values that a schema of the document allows.
 * @throws Error for a schema that says more than this understands, so that a new kind of schema is not overlooked.
 */
export function valuesOf(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  // A schema without a word takes anything.
  if (Object.keys(schema).length === 0) return fc.jsonValue();
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return fc.oneof(...forms.map(valuesOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integersOf(schema);
    case 'number':
      return fc.oneof(integersOf(schema), fc.double({ ...boundsOf(schema), noNaN: true }));
    case 'string':
      return textsOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case 'object':
      return objectsOf(schema);
    default:
      throw new Error(`No values can be made for the schema ${JSON.stringify(schema)}.`);
  }
}

function boundsOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema) {
  return { min: minimum, max: maximum };
}

function integersOf(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema);
  const small = { min: Math.max(min, -3), max: Math.min(max, 10) };
  return fc.oneof({ weight: 3, arbitrary: fc.integer(small) }, fc.integer({ min, max }));
}

function textsOf({ pattern = '', minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const allowed = new RegExp(pattern, 'u');
  const length = { minLength, maxLength };
  const fits = (text: string) => allowed.test(text) && [...text].length >= minLength && [...text].length <= maxLength;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...knownTexts.filter(fits)) },
    // Nor is a word of a few found by chance.
    ...(allowed.test('abc')
      ? [{ weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...nameCharacters), ...length }).filter(fits) }]
      : []),
    // Where only names are allowed, hardly any text would pass the filter.
    ...(allowed.test('é 😀 #')
      ? [{ weight: 2, arbitrary: fc.string({ unit: 'binary', ...length }).filter(fits) }]
      : []),
  );
}

function objectsOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)]));
  const listed = fc.record(model, { requiredKeys: [...required], noNullPrototype: true });
  if (!additionalProperties) return listed;
  const keys = fc.oneof(fc.constantFrom('rollout', 'stickiness', 'groupId'), fc.string());
  return fc.dictionary(keys, valuesOf(additionalProperties), { maxKeys: 4, noNullPrototype: true });
}
