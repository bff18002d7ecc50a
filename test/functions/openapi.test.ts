import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { permissionsOf } from '../../lib/http/declaration.ts';
import { errorStatusesOf } from '../../lib/http/openapi.ts';
import { type Answer, freshService } from '../harness/service.ts';

let document: Answer['body'];
beforeAll(async () => {
  const service = await freshService();
  ({ body: document } = await service.get('/docs/openapi.json', { token: null }));
});

const operations = Object.entries(registry).map(([operationId, { declaration }]) => ({ operationId, declaration }));

/** Every object in a JSON value, the value itself included. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

function resolve(pointer: string): unknown {
  return pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

const references = () => [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('names every operation once and no other', () => {
    const ids = [...objectsIn(document.paths)].flatMap(({ operationId }) => operationId ?? []);
    expect(ids.toSorted()).toEqual(Object.keys(registry).toSorted());
  });

  test('refers only to what is in it', () => {
    expect(references().length).toBeGreaterThan(0);
    for (const reference of references()) {
      expect(reference).toMatch(/^#\/components\//);
      expect(resolve(reference), reference).toBeTypeOf('object');
    }
  });

  test('describes no schema that nothing uses', () => {
    const used = new Set(references());
    for (const name of Object.keys(document.components.schemas)) expect(used).toContain(`#/components/schemas/${name}`);
  });

  test('asks for the token in the authorization header, but for the public operations', () => {
    const [[name] = []] = document.security.map(Object.keys);
    expect(document.components.securitySchemes[name]).toEqual({ type: 'apiKey', in: 'header', name: 'Authorization' });
  });
});

describe.each(operations)('what it says of $operationId', ({ operationId, declaration }) => {
  const described = () => document.paths[declaration.path][declaration.method.toLowerCase()];

  test('has a summary, and a heading', () => {
    expect(described()).toMatchObject({ operationId, summary: declaration.summary, tags: [declaration.group] });
  });

  test('has every status that it can answer, with what the answer holds', () => {
    const { responses } = described();
    const successes = Object.keys(declaration.responses);
    const errors = errorStatusesOf(declaration).map(String);
    expect(Object.keys(responses).toSorted()).toEqual([...successes, ...errors].toSorted());
    for (const status of errors) {
      expect(responses[status].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
    for (const [status, schema] of Object.entries(declaration.responses)) {
      expect(responses[status].content === undefined).toBe(schema === null);
    }
  });

  test('has every variable of its path, as required text', () => {
    const parameters = described().parameters.filter((each: { in: string }) => each.in === 'path');
    const names = declaration.path.matchAll(/\{(\w+)\}/g);
    expect(parameters).toEqual(
      [...names].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    );
  });

  test('has a body exactly where it takes one', () => {
    expect(described().requestBody?.required).toBe(declaration.body && true);
  });

  test('tells who may call it', () => {
    expect(described().security).toEqual(declaration.audience === 'public' ? [] : undefined);
    for (const permission of permissionsOf(declaration)) {
      expect(described().description).toContain(permission);
    }
  });

  test('tells whether it may be removed', () => {
    expect(described().deprecated).toBe(declaration.deprecated);
  });
});
