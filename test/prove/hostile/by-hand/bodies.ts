import type { ReadyOperation } from '../operations.ts';
import { type BodyPlace, bodyPlacesIn, bodyWith } from '../places.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';
import { bulkyJson, hostileJson } from '../values.ts';

const oddKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', '', '\\u0000', '\\ud800', '$ref', 'pk'];
const oddMembers = ['null', '1', '{"prototype":{"admin":true}}'];

/**
 * Generates bodies with every hostile value in every place of the example, and with objects and keys that do not end
 * well.
 */
export function* hostileBodies(operation: ReadyOperation): Generator<HostileRequest> {
  const { body, description, endpoint } = operation;
  // A form is no JSON; other requests by hand are about it.
  if (body === undefined || endpoint.declaration.body === undefined) return;
  const request = (what: string, text: string) => alteredRequest(operation, what, { body: text });
  const schema = description.requestBody?.content['application/json']?.schema ?? {};
  for (const place of bodyPlacesIn(schema, JSON.parse(body))) {
    const name = place.keys.join('.') || 'the body';
    for (const text of [...hostileJson, ...bulkyJson]) {
      yield request(`${name} = ${text.slice(0, 40)}`, bodyWith(body, [[place, text]]));
    }
    yield request(`without ${name}`, bodyWith(body, [[place, undefined]]));
    yield* inObject(request, body, place);
  }
  // In every object of the body at once, and each property twice.
  for (const key of oddKeys) yield request(`"${key}" everywhere`, body.replaceAll('{"', `{"${key}":null,"`));
  yield request('each property twice', body.replaceAll(/"(\w+)":/g, '"$1":null,"$1":'));
  yield request('each property twice, the second one null', body.replaceAll(/"(\w+)":("[^"]*")/g, '"$1":$2,"$1":null'));
}

function* inObject(
  request: (what: string, text: string) => HostileRequest,
  body: string,
  place: BodyPlace,
): Generator<HostileRequest> {
  const value = place.keys.reduce((each, key) => each[key], JSON.parse(body));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const members = JSON.stringify(value).slice(1);
  for (const key of oddKeys) {
    for (const member of oddMembers) {
      const text = bodyWith(body, [[place, `{"${key}":${member}${members === '}' ? '' : ','}${members}`]]);
      yield request(`"${key}" in ${place.keys.join('.') || 'the body'}`, text);
    }
  }
}

/** Operators, one for each way to read a value. */
const operators = ['NUM_EQ', 'DATE_AFTER', 'SEMVER_EQ', 'IN'];

/** Enough for whatever takes more than its time for long texts to be noticed. */
const many = 40_000;

const operands: readonly string[] = Object.values({
  nothing: ['', ' ', '-'],
  numbers: ['1e400', '-1e400', '1e-999999999', '0x10', '1_000', '१२', 'NaN', 'Infinity', '9007199254740993'],
  dates: ['+275761-01-01T00:00:00Z', '-271822-01-01', '2024-02-30T25:61:61Z', '2024-01-01T00:00:00+99:99'],
  versions: ['1.2.3-', '01.2.3', '1.2.3+build'],
  'long numbers': [
    ...['99999999999999999', `${'1'.repeat(many)}x`, `${' '.repeat(many)}1x`, `1${' '.repeat(many)}x`],
    ...[`1e${'1'.repeat(many)}x`, `${'1'.repeat(many)}.${'1'.repeat(10)}`],
  ],
  'long dates': [`2024-${'-'.repeat(many)}`, `2024-01-01T00:00:00.${'1'.repeat(many)}Z!`],
  'long versions': ['1'.repeat(many), 'a.'.repeat(many / 2), '-'.repeat(many)].map((end) => `1.2.3-${end}!`),
}).flat();

/** Values of constraints that are hard to read, for every kind of operator, where the example has a constraint. */
export function* hostileOperands(operation: ReadyOperation): Generator<HostileRequest> {
  const { body } = operation;
  if (body === undefined || !body.includes('"operator":')) return;
  for (const operator of operators) {
    for (const operand of operands) {
      const text = body
        .replace(/"operator":"\w+"/, `"operator":"${operator}"`)
        .replace(/"value":"u-1"/, () => `"value":${JSON.stringify(operand)}`);
      yield alteredRequest(operation, `${operator} ${operand.slice(0, 30)}`, { body: text });
    }
  }
}
