import type { Example } from './example.ts';
import type { Specification } from './specification.ts';

/**
 * Where a thing is read whose version its changes heed, by the beginning of their paths. An archived feature is not to be
 * read, but an update that says nothing answers it.
 */
const reads: Readonly<Record<`/${string}`, Specification['route']>> = {
  '/api/admin/projects/{projectId}/features/{featureName}':
    'GET /api/admin/projects/{projectId}/features/{featureName}',
  '/api/admin/features/{featureName}': 'GET /api/admin/projects/{projectId}/features/{featureName}',
  '/api/admin/archive/{featureName}': 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  '/api/admin/archive/revive/{featureName}': 'PUT /api/admin/projects/{projectId}/features/{featureName}',
};

/** What makes a new thing out of another one, and what is of the caller: they heed no version. */
const unversioned = /\/(?:clone|favorites)$/;

/** Where the thing is read that an operation changes; undefined where it creates one, or changes none that has a version. */
export function readOf(route: Specification['route']): Specification['route'] | undefined {
  const [, path = ''] = route.split(' ');
  const found = Object.entries(reads).find(([start]) => path === start || path.startsWith(`${start}/`));
  return unversioned.test(path) ? undefined : found?.[1];
}

/** The variables of the path of a read. */
export function paramsOf({ specified: { params = {} }, project }: Example): Readonly<Record<string, string | number>> {
  return { ...(project !== undefined && { projectId: project }), ...params };
}
