import * as registry from '../../functions/index.ts';
import { type Declaration, type Endpoint, routeOf } from '../../lib/http/declaration.ts';
import type { Example } from './example.ts';
import type { Specification } from './specification.ts';

/** The reads that answer the version of one thing, those with the longest paths first. */
const reads = Object.values<Endpoint>(registry)
  .map(({ declaration }) => declaration)
  .filter(({ method, etag }) => method === 'GET' && etag !== undefined)
  .toSorted((a, b) => b.path.length - a.path.length);

/**
 * Returns the read of the thing whose version a mutation heeds; undefined if it heeds none, creates something, or
 * answers the version itself. The specification names it, or else it is the thing that the path leads to.
 */
export function readOf(
  { method, path, etag, responses }: Declaration,
  { versionAt }: Pick<Specification, 'versionAt'>,
): Specification['route'] | undefined {
  if (method === 'GET' || etag === undefined || versionAt === 'replies') return undefined;
  if (versionAt !== undefined) return versionAt;
  if (isCreation({ method, responses })) return undefined;
  const read = reads.find(
    (each) => path === each.path || (each.path.endsWith('}') && path.startsWith(`${each.path}/`)),
  );
  return read && (routeOf(read) as Specification['route']);
}

/** Tells whether it creates something, whose version is not that of its source. */
export function isCreation({ method, responses }: Pick<Declaration, 'method' | 'responses'>): boolean {
  return method === 'POST' && 201 in responses;
}

/** The variables of the path of a read. */
export function paramsOf({ specified: { params = {} }, project }: Example): Readonly<Record<string, string | number>> {
  return { ...(project !== undefined && { projectId: project }), ...params };
}
