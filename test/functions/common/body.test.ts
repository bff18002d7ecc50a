import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import type { Answer, Service } from '../../harness/service.ts';
import {
  expectAccepted,
  expectCarriable,
  expectRefused,
  type Operation,
  operationsWithBody,
  preparedService,
  restore,
} from './operations.ts';
import { type Json, type Place, placesIn, withKey, without, withValue } from './places.ts';

const document = openApiDocument(registry);

let service: Service;
beforeAll(async () => {
  service = await preparedService();
});

const strategy = ['name', 'constraints.0.contextName', 'constraints.0.operator'];
const strategyVariant = ['name', 'weight', 'weightType', 'stickiness', 'payload.type', 'payload.value'];
const strategyInput = [...strategy, ...strategyVariant.map((field) => `variants.0.${field}`)];

/** What the interface marks "req" in each body; what stands below something that may be missing, where that is there. */
const required: Partial<Record<keyof typeof registry, readonly string[]>> = {
  addDefaultStrategyToProjectEnvironment: strategyInput,
  addEnvironmentToProject: ['environment', ...strategyInput.map((field) => `defaultStrategy.${field}`)],
  addFeatureStrategy: strategyInput,
  addTag: ['value'],
  bulkToggleFeaturesEnvironmentOff: ['features'],
  importToggles: [
    'project',
    'environment',
    'data',
    'data.features',
    'data.features.0.name',
    'data.featureStrategies',
    ...strategyInput.map((field) => `data.featureStrategies.0.${field}`),
    // A strategy of no feature has no place to go.
    'data.featureStrategies.0.featureName',
    'data.featureEnvironments.0.name',
    'data.featureEnvironments.0.enabled',
    'data.featureEnvironments.0.variants.0.name',
    'data.featureEnvironments.0.variants.0.weight',
    'data.featureEnvironments.0.variants.0.payload.type',
    'data.featureEnvironments.0.variants.0.payload.value',
    'data.featureEnvironments.0.variants.0.overrides.0.contextName',
    'data.featureEnvironments.0.variants.0.overrides.0.values',
    'data.contextFields.0.name',
    'data.contextFields.0.legalValues.0.value',
    // Not tagValue, which may go by its older name "value".
    'data.featureTags.0.featureName',
    'data.segments.0.id',
    'data.segments.0.name',
    'data.tagTypes',
    'data.tagTypes.0.name',
    'data.dependencies.0.feature',
    'data.dependencies.0.dependencies',
    'data.dependencies.0.dependencies.0.feature',
  ],
  setSamlSettings: ['entityId', 'signOnUrl', 'certificate'],
  updateFeature: [],
  validateProject: ['id'],
};

/** Where null may stand, in any body; everywhere else it is a mistake. */
const nullable = [
  /^description$/,
  /^(defaultStrategy\.|data\.featureStrategies\.0\.)?(title|disabled)$/,
  /^data\.(features|contextFields|tagTypes)\.0\.description$/,
  /^data\.tagTypes\.0\.icon$/,
];

/** What may be missing in itself, but not in the examples: what the rest of the body refers to. */
const neededHere = [/constraints\.\d+\.values$/, /featureEnvironments\.\d+\.featureName$/, /^data\.segments$/];

/** What a value of each type is taken for by less strict services. */
const wrongValues: Record<string, readonly Json[]> = {
  string: [5, true, {}, ['text'], null],
  integer: ['5', true, [5], {}, null],
  number: ['5', true, [5], {}, null],
  boolean: ['true', 'false', '', 1, 0, [], {}, null],
  array: [{}, { 0: 'a', length: 1 }, 'text', 1, true, null],
  object: [[], [{}], 'text', 1, true, null],
};

const pathsOf = ({ body }: Answer): (string | undefined)[] =>
  body?.details?.map((detail: { path?: string }) => detail.path) ?? [];

describe.each(operationsWithBody)('$operationId', (operation) => {
  const { operationId, method, target, body } = operation;
  const places = placesIn(document, bodySchemaOf(operation), body);
  const leaves = places.filter(({ path }) => !places.some((other) => other.path.startsWith(`${path}.`)));
  const send = (sent: unknown) => service.call(method, target, { body: sent });

  /** Every body that was not refused with a 400 that names the place. */
  async function missed(changes: Iterable<readonly [path: string, value: unknown, body: unknown]>): Promise<string[]> {
    const found: string[] = [];
    for (const [path, value, sent] of changes) {
      const answer = await send(sent);
      if (answer.status !== 400 || !pathsOf(answer).includes(path)) {
        found.push(`${path} = ${JSON.stringify(value)}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
    }
    return found;
  }
  const replacements = (chosen: readonly Place[], valuesOf: (place: Place) => readonly Json[]) =>
    chosen.flatMap((place) =>
      valuesOf(place).map((value) => [place.path, value, withValue(body, place.path, value)] as const),
    );

  if (operationId === 'addFeatureStrategy') beforeEach(() => restore(service));

  test('takes a body with everything that it knows, also in base64', async () => {
    expect(places.length).toBeGreaterThan(0);
    expectAccepted(await send(body));
    expectAccepted(await send(Buffer.from(JSON.stringify(body))));
    expectAccepted(await send(`\r\n\t ${JSON.stringify(body, null, 2)} \n`));
  });

  test.each([
    '',
    ' ',
    '{',
    '{}}',
    '{} {}',
    "{'a': 1}",
    '{"a": 1,}',
    '{"a": undefined}',
    '{"a": 01}',
    '{"a": "\u0001"}',
    '{"a": NaN}',
    '// comment\n{}',
    'a=1&b=2',
    '<a/>',
    '\0',
    '\uFEFF{}',
    '[',
    '['.repeat(50_000),
  ])('answers 400 to what is no JSON: %j', async (text) => {
    for (const sent of [text, Buffer.from(text)]) expectRefused(await send(sent), 400, 'ValidationError');
  });

  test.each(['[]', '[{}]', '"text"', 'null', 'true', 'false', '0', '1e400'])(
    'answers 400 to JSON that is no object: %s',
    async (text) => {
      expectRefused(await send(text), 400, 'ValidationError');
    },
  );

  test('answers 400 where there is no body at all', async () => {
    const answer = await service.call(method, target, { headers: { 'content-type': 'application/json' } });
    expectRefused(answer, 400, 'ValidationError');
  });

  test('answers 400 to bytes that are no UTF-8', async () => {
    const bytes = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe9, 0x6d]];
    const text = JSON.stringify({ ...body, padding: '@' });
    const [before = '', after = ''] = text.split('@"').map((part, index) => (index === 0 ? part : `"${part}`));
    for (const wrong of bytes) {
      const sent = Buffer.concat([Buffer.from(before), Buffer.from(wrong), Buffer.from(after)]);
      expectRefused(await send(sent), 400, 'ValidationError');
    }
  });

  test('documents as required what the interface requires, and nothing else', () => {
    const documented = places.filter((place) => place.isRequired).map(({ path }) => path);
    expect(documented.toSorted()).toEqual(required[operationId as keyof typeof registry]?.toSorted());
  });

  test('answers 400 that names the place to every required field that is missing', async () => {
    const paths = required[operationId as keyof typeof registry] ?? [];
    expect(await missed(paths.map((path) => [path, undefined, without(body, path)]))).toEqual([]);
  });

  test('takes a body without what is not required', async () => {
    for (const { path, isRequired, isElement } of places) {
      if (isRequired || isElement || neededHere.some((pattern) => pattern.test(path))) continue;
      const answer = await send(without(body, path));
      expect([200, 201, 409], `without ${path}: ${answer.text}`).toContain(answer.status);
    }
  });

  test('answers 400 that names the place to every value of a wrong type: nothing is converted', async () => {
    const wrong = replacements(places, ({ type, isNullable }) =>
      (wrongValues[type] ?? []).filter((value) => !(isNullable && value === null)),
    );
    expect(await missed(wrong)).toEqual([]);
  });

  test('takes null where it has a meaning, and only there', async () => {
    for (const { path, isNullable } of places) {
      expect(isNullable, path).toBe(nullable.some((pattern) => pattern.test(path)));
      if (isNullable) expectAccepted(await send(withValue(body, path, null)));
    }
  });

  test('answers 400 that names the place to a word that is none of those it knows', async () => {
    const chosen = places.filter(({ options }) => options.length > 0);
    const wrong = replacements(chosen, ({ options }) => [
      '',
      'unheard-of',
      ...options.flatMap((option) => [`${option} `, swappedCase(option)]),
    ]);
    expect(await missed(wrong)).toEqual([]);
  });

  test('answers 400 that names the place to text with NUL or half a surrogate pair', async () => {
    const texts = places.filter(({ type, options }) => type === 'string' && options.length === 0);
    const wrong = replacements(texts, () => ['a\0b', '\0', 'ab\ud800', '\udc00ab', '\ude00\ud83d']);
    expect(await missed(wrong)).toEqual([]);
  });

  test('answers 400 in text that any client can carry, whatever it quotes', async () => {
    const quoted = ['a\0b', 'ab\ud800', '😀'.repeat(500), `x${'😀'.repeat(500)}`, `xy${'é'.repeat(500)}`];
    const wrong = replacements(
      places.filter(({ type, options }) => type !== 'string' || options.length > 0),
      () => quoted,
    );
    const keys = places
      .filter((place) => place.isMap)
      .flatMap(({ path }) => quoted.slice(0, 2).map((key) => withKey(body, path, key, 'x')));
    for (const sent of [...wrong.map(([, , changed]) => changed), ...keys]) {
      const answer = await send(sent);
      expectRefused(answer, 400, 'ValidationError');
      expectCarriable(answer);
    }
  });

  test('answers 400 that names the place to a number that a double, or an order, does not hold exactly', async () => {
    const integers = replacements(
      places.filter(({ type }) => type === 'integer'),
      () => [1.5, 2 ** 53, -(2 ** 53), 1e21, 1e308, -1e308],
    );
    expect(await missed(integers)).toEqual([]);
    const numbers = places.filter(({ type }) => type === 'integer' || type === 'number');
    // No number at all, but JSON's grammar has room for it.
    const endless = numbers.map(({ path }) => [
      path,
      '1e400',
      JSON.stringify(withValue(body, path, '@')).replace('"@"', '1e400'),
    ]);
    expect(await missed(endless as [string, string, string][])).toEqual([]);
  });

  test('lists every mistake of a body, each with its place', async () => {
    const broken = leaves.reduce<unknown>(
      (sent, { path, type }) => withValue(sent, path, type === 'string' ? 5 : 'text'),
      body,
    );
    const answer = await send(broken);
    expectRefused(answer, 400, 'ValidationError');
    expect(pathsOf(answer).toSorted()).toEqual(leaves.map(({ path }) => path).toSorted());
  });

  test('ignores properties that it does not know, wherever they are', async () => {
    const unknown = {
      futureField: { deep: [null, { a: 1e300 }] },
      constructor: 'x',
      toString: null,
      hasOwnProperty: 1,
    };
    const objects = ['', ...places.filter(({ type, isMap }) => type === 'object' && !isMap).map(({ path }) => path)];
    let sent: unknown = body;
    for (const path of objects) {
      for (const [key, value] of Object.entries(unknown)) sent = withKey(sent, path, key, value as Json);
    }
    const answer = await send(sent);
    expectAccepted(answer);
    expect(answer.text).not.toContain('futureField');
  });

  test('does not stumble over properties named like what every object has', async () => {
    const text = JSON.stringify(body);
    const keys = ['__proto__', 'constructor', 'prototype', '__defineGetter__', 'valueOf', 'toJSON', 'then'];
    const values = ['null', '1', '"x"', '[]', '{}', '{"prototype":{"admin":true}}', '{"toJSON":1,"length":-1}'];
    for (const key of keys) {
      for (const value of values) {
        const first = `{"${key}":${value},${text.slice(1)}`;
        // In every object of the body at once.
        const everywhere = text.replaceAll('{"', `{"${key}":${value},"`);
        for (const sent of [first, everywhere]) expect((await send(sent)).status, sent).toBeOneOf([200, 201, 400, 409]);
      }
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test('does not stumble over depth', async () => {
    const depth = 40_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const answer = await send(`${JSON.stringify(body).slice(0, -1)},"unknown":${deep}}`);
    expect(answer.status).toBeOneOf([200, 201, 400, 409]);
    for (const { path } of places) {
      const inPlace = JSON.stringify(withValue(body, path, '@')).replace('"@"', () => deep);
      expect((await send(inPlace)).status, path).toBe(400);
    }
  });

  test('takes the last of properties of one name, as JSON.parse does', async () => {
    const [first] = places.filter(({ path }) => !path.includes('.'));
    expectAccepted(await send(`{"${first?.path}":null,${JSON.stringify(body).slice(1)}`));
  });
});

test('the numbers of the bodies are whole where they are an id, a count or an order', () => {
  const typesOf = (type: string) =>
    operationsWithBody
      .flatMap((operation) => placesIn(document, bodySchemaOf(operation), operation.body))
      .filter((place) => place.type === type)
      .map(({ path }) => path.replaceAll(/\.\d+/g, '').split('.').slice(-2).join('.'));
  expect(new Set(typesOf('integer'))).toEqual(
    new Set([
      'sortOrder',
      'segments',
      'variants.weight',
      'defaultStrategy.sortOrder',
      'defaultStrategy.segments',
      'featureStrategies.sortOrder',
      'featureStrategies.segments',
      'contextFields.sortOrder',
      'segments.id',
      'defaultRootRoleId',
    ]),
  );
  // Of feature variants alone.
  expect(typesOf('number')).toEqual(['variants.weight']);
});

test('a map keeps the keys that all objects know, or says which it does not take', async () => {
  const parameters = { ok: '1', toString: '4', hasOwnProperty: '5' };
  const { target } = operationsWithBody.find(({ operationId }) => operationId === 'addFeatureStrategy') as Operation;
  await restore(service);
  const answer = await service.post(target, { name: 'flexibleRollout', parameters });
  expectAccepted(answer);
  expect(answer.body.parameters).toMatchObject(parameters);

  for (const key of ['constructor', 'prototype']) {
    const refused = await service.post(target, { name: 'flexibleRollout', parameters: { ...parameters, [key]: '2' } });
    expect(refused.body.details).toEqual([{ message: expect.stringContaining(`"${key}"`), path: 'parameters' }]);
  }
});

function bodySchemaOf({ declaration: { path, method } }: Operation): unknown {
  const paths = document.paths as Record<
    string,
    Record<string, { requestBody: { content: Record<string, { schema: unknown }> } }>
  >;
  return paths[path]?.[method.toLowerCase()]?.requestBody.content['application/json']?.schema;
}

function swappedCase(text: string): string {
  const upper = text.toUpperCase();
  return text === upper ? text.toLowerCase() : upper;
}
