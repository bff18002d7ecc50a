import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { freshService, type Reply } from '../harness/service.ts';
import { objectsIn } from '../specifications/whole-document.ts';

let document: Reply['body'];
beforeAll(async () => {
  const service = await freshService();
  ({ body: document } = await service.get('/docs/openapi.json', { token: null }));
});

type Json = Record<string, unknown>;

const operationsIn = ({ paths }: Reply['body']): Json[] =>
  Object.values<Record<string, Json>>(paths).flatMap((path) => Object.values(path));

function resolve(pointer: string): unknown {
  return pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

const references = () =>
  new Set([...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has schemas that JSON Schema allows', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const inOperations = operationsIn(document).flatMap((operation) =>
      [...objectsIn(operation)].flatMap(({ schema }) => (schema === undefined ? [] : [schema as object])),
    );
    const schemas = [...Object.values<object>(document.components.schemas), ...inOperations];
    for (const schema of schemas) expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  });

  test('names every operation once and no other', () => {
    const ids = operationsIn(document).map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(Object.keys(registry).toSorted());
  });

  test('refers only to what is in it', () => {
    expect(references().size).toBeGreaterThan(0);
    for (const reference of references()) {
      expect(reference).toMatch(/^#\/components\//);
      expect(resolve(reference), reference).toBeTypeOf('object');
    }
  });

  test('describes no schema that nothing uses', () => {
    const used = references();
    for (const name of Object.keys(document.components.schemas)) expect(used).toContain(`#/components/schemas/${name}`);
  });

  test('asks for the token in the authorization header, but for the public operations', () => {
    const [[name] = []] = document.security.map(Object.keys);
    expect(document.components.securitySchemes[name]).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: expect.stringContaining('`user:`'),
    });
  });

  test('lists the headings once each, in an order of its own', () => {
    const used = operationsIn(document).flatMap(({ tags }) => tags);
    const names = document.tags.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual([...new Set(used)].toSorted());
    expect(names.at(-1)).toBe('Service');
  });

  test('shows for every body, and for every reply of JSON, an example that was really sent', () => {
    for (const { operationId, requestBody, responses, parameters } of operationsIn(document)) {
      if (operationId === 'getOpenApiDocument') continue;
      const success = Object.entries(responses as Record<string, Json>).find(([status]) => status < '300')?.[1];
      const contents = [(requestBody as Json)?.content, success?.content].flatMap((content) => {
        const json = (content as Json)?.['application/json'];
        return json === undefined ? [] : [json];
      });
      for (const content of contents) expect(content, String(operationId)).toHaveProperty('example');
      for (const each of (parameters as Json[]).filter(({ in: place }) => place === 'path')) {
        expect(each, String(operationId)).toHaveProperty('example');
      }
    }
  });
});
