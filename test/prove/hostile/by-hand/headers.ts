import type { ReadyOperation } from '../operations.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';

const contentTypes = Object.values({
  'no types': ['', ' ', ';', 'json', 'application/json\0'],
  'other types': ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'],
  'types that look like JSON': ['application/jsonx', 'application/json-patch+json', 'application/vnd.api+json'],
  'several types': ['application/json, text/plain', 'application/json,application/json'],
  charsets: [
    ...['application/json;charset=utf-16', 'application/json;charset=utf-8;charset=latin1'],
    ...['application/json;charset="utf-8', 'application/json; charset', 'APPLICATION/JSON ; CHARSET=UTF8'],
  ],
  'other parameters': ['application/json; q=1; a=b; =', `application/json; a=${'b'.repeat(60_000)}`],
  'too much': [`${';'.repeat(50_000)}`],
}).flat();

const authorizations = (token: string) =>
  Object.values({
    nothing: ['', ' ', 'Bearer', 'Bearer '],
    schemes: [`Bearer  ${token}`, `bearer ${token}`, `Bearer Bearer ${token}`],
    basic: [`Basic ${Buffer.from(`a:${token}`).toString('base64')}`],
    'more than a token': [`${token} `, ` ${token}`, `${token},${token}`, `${token}\0`, `${token}\r\nx: y`, `${token}x`],
    'other tokens': [token.toUpperCase(), token.slice(0, -1), `*:*.${'0'.repeat(508)}`, `*:*.${'x'.repeat(60_000)}`],
    'beginnings of tokens': ['*:*.', '*:*', 'user:', 'user:__proto__'],
    'no tokens': ['\ud800', 'é', 'null', 'undefined', '[object Object]', "' OR 1=1 --"],
  }).flat();

const acceptEncodings = [
  ...['gzip', '*', 'gzip;q=0', 'gzip;q=0.000', 'identity;q=0', 'br', ', , ,'],
  `${'a,'.repeat(20_000)}gzip`,
];

/** Headers that are odd, many, large, or mean more than they should. */
export function* hostileHeaders(operation: ReadyOperation): Generator<HostileRequest> {
  const { headers } = operation;
  const request = (what: string, more: Record<string, string>) =>
    alteredRequest(operation, what, { headers: { ...headers, ...more } });
  for (const value of contentTypes) yield request('an odd content type', { 'content-type': value });
  const { authorization, ...open } = headers;
  yield alteredRequest(operation, 'no token', { headers: open });
  for (const value of authorizations(authorization ?? '*:*.x')) yield request('an odd token', { authorization: value });
  for (const value of acceptEncodings) yield request('an odd accept-encoding', { 'accept-encoding': value });
  yield alteredRequest(operation, 'no headers', { headers: {} });
  yield request('many headers', Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x-${index}`, 'y'])));
  yield request('a huge header', { 'x-huge': 'y'.repeat(1_000_000) });
  yield request('headers like what every object has', { constructor: 'x', toString: 'y', hasownproperty: 'z' });
  yield alteredRequest(operation, 'capitals in names', {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  });
  yield request('an id of its own', {
    'x-request-id': 'mine',
    'x-amzn-trace-id': 'Root=1-a-b',
    'x-forwarded-for': '::1',
  });
  yield request('another host', { host: 'other.example', 'x-forwarded-host': 'a\r\nb', 'x-original-url': '/health' });
}
