import fc from 'fast-check';
import type { ReadyOperation, Schema } from '../operations.ts';
import { type BodyPlace, bodyPlacesIn, bodyWith, type TextReplacement } from '../places.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';
import { hostileJson, hostileQueries, hostileSegments } from '../values.ts';
import { valuesOf } from './values.ts';

type Body = HostileRequest['body'];

/** Requests for an operation: most of them nearly right, so that they come far, some of them nothing but noise. */
export function requestsFor(operation: ReadyOperation): fc.Arbitrary<HostileRequest> {
  return fc
    .record({ target: targetsOf(operation), headers: headersOf(operation), body: bodiesOf(operation) })
    .map((altered) => alteredRequest(operation, 'generated', altered));
}

function targetsOf({ endpoint, target, description }: ReadyOperation): fc.Arbitrary<string> {
  const pattern = endpoint.declaration.path.split('/');
  const segments = target.split('/').map((segment, index) => {
    if (!pattern[index]?.startsWith('{')) return fc.constant(segment);
    return fc.oneof(
      { weight: 60, arbitrary: fc.constant(segment) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme' }).map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.nat({ max: 100 }).map(String) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileSegments, 'default', 'basket', 'production') },
      { weight: 1, arbitrary: fc.webSegment() },
    );
  });
  const names = description.parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
  const path = fc.tuple(...segments).map((each) => each.join('/'));
  return fc.tuple(path, queriesOf(names)).map(([each, query]) => (query === '' ? each : `${each}?${query}`));
}

function queriesOf(names: readonly string[]): fc.Arbitrary<string> {
  const values = fc.oneof(fc.nat().map(String), fc.maxSafeInteger().map(String), fc.double().map(String), fc.string());
  const pairs = fc.tuple(fc.constantFrom(...names, 'other'), values.map(encodeURIComponent));
  const asked = fc.array(pairs, { maxLength: 3 }).map((each) => each.map((pair) => pair.join('=')).join('&'));
  const odd = fc.oneof(fc.constantFrom(...hostileQueries), fc.webQueryParameters());
  return fc.oneof(
    { weight: names.length === 0 ? 20 : 2, arbitrary: fc.constant('') },
    { weight: names.length === 0 ? 1 : 10, arbitrary: asked },
    { weight: 1, arbitrary: odd },
  );
}

const headerNames = ['content-type', 'content-encoding', 'authorization', 'accept-encoding', 'accept', 'x-a', 'expect'];
const headerValues = fc.oneof(
  fc.constantFrom('', 'application/json', 'application/json; charset=utf-8', 'identity', 'gzip', 'text/plain', '*/*'),
  fc.string({ unit: 'binary-ascii' }),
);

function headersOf({ headers }: ReadyOperation): fc.Arbitrary<Record<string, string>> {
  const altered = fc.dictionary(fc.constantFrom(...headerNames), headerValues, { maxKeys: 2, noNullPrototype: true });
  return fc.oneof(
    { weight: 15, arbitrary: fc.constant(headers) },
    { weight: 1, arbitrary: altered.map((odd) => ({ ...headers, ...odd })) },
  );
}

const jsonTexts = fc.oneof(fc.json(), fc.json({ stringUnit: 'binary' }), fc.constantFrom(...hostileJson));
const noise: fc.Arbitrary<Body> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

function bodiesOf({ body, description, endpoint }: ReadyOperation): fc.Arbitrary<Body> {
  if (body === undefined || endpoint.declaration.body === undefined) {
    return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, jsonTexts as fc.Arbitrary<Body>, noise);
  }
  const schema = description.requestBody?.content['application/json']?.schema ?? {};
  const valid = valuesOf(schema).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: mutated(body, schema) },
    { weight: 3, arbitrary: valid },
    { weight: 1, arbitrary: fc.oneof(valid, jsonTexts).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: jsonTexts },
    { weight: 1, arbitrary: noise },
  );
}

/** Changes one to three places of the example to values that the schema allows there, or does not. */
function mutated(body: string, schema: Schema): fc.Arbitrary<string> {
  const replacements = bodyPlacesIn(schema, JSON.parse(body)).map((place) =>
    fc.tuple(fc.constant<BodyPlace>(place), textsFor(place)),
  );
  return fc
    .array(fc.oneof(...replacements), { minLength: 1, maxLength: 3 })
    .map((each) => bodyWith(body, each as TextReplacement[]));
}

function textsFor({ schema, keys }: BodyPlace): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 6, arbitrary: valuesOf(schema).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...hostileJson) },
    { weight: 1, arbitrary: fc.json({ stringUnit: 'binary' }) },
    ...(keys.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constant(undefined) }]),
  );
}
