import type { ReadyOperation } from '../operations.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';
import { hostileQueries, hostileSegments } from '../values.ts';

const methods = Object.values({
  known: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  'of other servers': ['TRACE', 'CONNECT', 'PROPFIND', 'ACL'],
  'that are none': ['get', 'Post', 'GET ', '', '__proto__', 'constructor'],
}).flat();

const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** Paths, queries and methods that mean something else than they seem to, or nothing. */
export function* hostileAddresses(operation: ReadyOperation): Generator<HostileRequest> {
  const { target, headers, method } = operation;
  const request = (what: string, changed: Partial<HostileRequest>) => alteredRequest(operation, what, changed);
  const segments = target.split('/');
  for (let index = 1; index < segments.length; index += 1) {
    for (const segment of hostileSegments) {
      yield request('an odd segment', { target: segments.toSpliced(index, 1, segment).join('/') });
    }
  }
  const whole = Object.values({
    slashes: [`${target}/`, `/${target}`, target.replaceAll('/', '//'), target.replaceAll('/', '\\')],
    escapes: [target.replaceAll('a', '%61'), target.replaceAll('a', '%2561'), target.replaceAll('/', '%2F')],
    'more at the end': [`${target}%00`, `${target}%20`, `${target};x`, `${target}#a`, `${target}%3Fa=b`],
    'other places': [`/x/..${target}`, `/%2e%2e${target}`, `${target}/../../..`, '*', ''],
    'other hosts': [`https://other.example${target}`, `//other.example${target}`],
    'other letters': [target.toUpperCase()],
    'too much': [`${target}/${'x/'.repeat(4_000)}`],
  }).flat();
  for (const each of whole) yield request('an odd path', { target: each });
  for (const query of hostileQueries) yield request('an odd query', { target: `${target}?${query}` });
  for (const other of methods) yield request('another method', { method: other });
  for (const name of overrides) {
    for (const other of ['DELETE', 'PUT', 'GET']) {
      yield request('a method in a header', { headers: { ...headers, [name]: other } });
      yield request('a method in the query', { target: `${target}?_method=${other}`, method: method.toLowerCase() });
    }
  }
}
