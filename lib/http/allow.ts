import type { Declaration } from './declaration.ts';

type Route = Pick<Declaration, 'method' | 'path'>;

/**
 * The methods that a path takes, as the Allow header lists them; undefined for an unknown path. HEAD comes with GET, and
 * OPTIONS with every path (RFC 9110, section 10.2.1).
 */
export function allowOn(path: string, routes: readonly Route[]): string | undefined {
  const segments = path.split('/');
  const members = routes.filter((route) => takes(route.path.split('/'), segments));
  if (members.length === 0) return undefined;
  const methods = members.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set([...methods, 'OPTIONS'])].join(', ');
}

function takes(declared: readonly string[], sent: readonly string[]): boolean {
  return (
    declared.length === sent.length &&
    declared.every((segment, index) => (segment.startsWith('{') ? sent[index] !== '' : segment === sent[index]))
  );
}
