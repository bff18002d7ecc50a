import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { schemaOf } from '../../../lib/http/openapi-schemas.ts';
import { text, textOfLength } from '../../../lib/values/primitives.ts';
import { objectsIn, wholeDocument } from '../../specifications/whole-document.ts';

/** Part of JSON Schema that the rules are about. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly maximum?: number;
  readonly format?: string;
}

/** Part of an operation that the rules are about. */
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: object; readonly description?: string };
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
}

const { paths, components } = withoutExamples(wholeDocument()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const bodies = operations.map(({ parameters: _, ...operation }) => operation);

/** Examples are values, which may have the names of keywords. */
function withoutExamples(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'example' ? undefined : inner)));
}

/** The schemas in a part of the document, without the maps of properties, whose names may be those of keywords. */
function* schemasIn(part: unknown): Generator<Schema> {
  for (const each of objectsIn(part)) {
    if (['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'].some((keyword) => keyword in each)) {
      if (each.type === undefined || typeof each.type === 'string') yield each as Schema;
    }
  }
}

const schemas = [...schemasIn(bodies), ...schemasIn(components)];
const propertiesOf = ({ type, properties = {} }: Schema) => (type === 'object' ? Object.entries(properties) : []);
const formsOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');

const declarations = Object.entries<Endpoint>(registry).map(([operationId, { declaration }]) => ({
  operationId,
  ...declaration,
}));

describe('the OpenAPI document, from which clients are generated', () => {
  test('describes every operation in more detail than its summary', () => {
    for (const { operationId, summary, description = '' } of declarations) {
      expect(description, operationId).toMatch(/^[A-Z`].*\.$/s);
      expect(description, operationId).not.toContain(summary);
    }
  });

  test.each([
    ['getHealth', 'Needs no token.'],
    ['getClientFeature', 'Needs a client token.'],
    ['getFrontendFeatures', 'Needs a frontend token.'],
    ['getTags', 'Needs no permission.'],
    ['deleteAddon', 'Needs the permission DELETE_ADDON.'],
  ])('names the permission or token that %s needs', (id, sentence) => {
    expect(operations.find(({ operationId }) => operationId === id)?.description).toContain(sentence);
  });

  test('has no property that is always null, for which generators create a class without a name', () => {
    const isNull = ([, { type }]: [string, Schema]) => type === 'null';
    expect(schemas.flatMap(propertiesOf).filter(isNull)).toEqual([]);
  });

  test('has no optional property that is always true or false, for which openapi-python-client writes code that does not compile', () => {
    const constants = schemas.flatMap(({ properties = {}, required = [] }: Schema) =>
      Object.entries(properties).filter(
        ([name, { const: only }]) => typeof only === 'boolean' && !required.includes(name),
      ),
    );
    expect(constants).toEqual([]);
  });

  test('has a schema for the entries of each array', () => {
    expect(schemas.filter(({ type, items }) => type === 'array' && items === undefined)).toEqual([]);
  });

  test('has no two properties in an object whose names are the same in a client', () => {
    for (const schema of schemas) {
      const names = propertiesOf(schema).map(([name]) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase());
      expect(new Set(names).size, names.join()).toBe(names.length);
    }
  });

  test('names every union with an object or an array, and the objects in it', () => {
    const named = new Set(Object.values(components.schemas));
    const unions = schemas.filter((schema) => formsOf(schema).length > 1);
    const ofObjects = unions.filter((schema) => formsOf(schema).some(({ type, $ref }) => $ref || type === 'array'));
    expect(ofObjects.length).toBeGreaterThan(0);
    for (const schema of ofObjects) expect(named, JSON.stringify(schema)).toContain(schema);
    for (const form of unions.flatMap(formsOf)) expect(form.type, JSON.stringify(form)).not.toBe('object');
  });

  test('has no defaults in bodies, since openapi-typescript would make these properties required', () => {
    expect(schemas.filter((schema) => 'default' in schema)).toEqual([]);
    expect(components.schemas.FeatureInput?.properties?.type).toMatchObject({ description: 'Default: "release".' });
    const { parameters } = operations.find(({ operationId }) => operationId === 'searchFeatures') as Operation;
    expect(parameters.find(({ name }) => name === 'sortOrder')?.schema.default).toBe('asc');
  });

  test('describes text in its usual form, even if scripts may send a number as well', () => {
    expect(components.schemas.FeatureInput?.properties).toMatchObject({
      description: {
        anyOf: [{ type: 'string', description: 'Numbers and booleans are also accepted, and converted to text.' }, {}],
      },
      impressionData: { type: 'boolean', description: '"true" and "false" are also accepted. Default: false.' },
    });
  });

  test('allows unknown properties in objects that store them', () => {
    expect(schemaOf(v.looseObject({ name: v.string() }))).toMatchObject({ additionalProperties: {} });
  });

  test('gives ids a format of 64 bits', () => {
    const large = schemas.filter(({ type, maximum = 0 }) => type === 'integer' && maximum >= 2 ** 31);
    expect(large.length).toBeGreaterThan(0);
    for (const schema of large) expect(schema.format, JSON.stringify(schema)).toBe('int64');
  });

  test('has the length of a text as a number, and its characters only if they are restricted', () => {
    expect(schemaOf(textOfLength(2, 50))).toEqual({ type: 'string', minLength: 2, maxLength: 50 });
    expect(schemaOf(v.pipe(text, v.regex(/^a/)))).toEqual({ type: 'string', pattern: '^a' });
  });

  test('has one content type for a body, and mentions the other one', () => {
    for (const { requestBody } of operations) {
      if (requestBody) expect(Object.keys(requestBody.content)).toEqual(['application/json']);
    }
    const { requestBody } = operations.find(({ operationId }) => operationId === 'patchFeature') as Operation;
    expect(requestBody?.description).toContain('application/json-patch+json');
  });
});
