import type { Declaration } from '../../lib/http/declaration.ts';
import type { Example } from './example.ts';
import type { Specification } from './specification.ts';

const feature = '/api/admin/projects/{projectId}/features/{featureName}';
const project = 'GET /api/admin/projects/{projectId}/overview';
/** It creates something, whose version is not that of what it is made of, or the body says what is changed. */
const nowhere = undefined;

/**
 * Where a thing is read whose version its changes heed, by the beginning of their paths, of which the first counts. An
 * archived feature is not to be read, but an update that says nothing answers it.
 */
const reads: readonly (readonly [start: `/${string}`, read: Specification['route'] | undefined])[] = [
  [`${feature}/clone`, nowhere],
  [feature, `GET ${feature}`],
  ['/api/admin/features/{featureName}', `GET ${feature}`],
  ['/api/admin/archive/{featureName}', `PUT ${feature}`],
  ['/api/admin/archive/revive/{featureName}', `PUT ${feature}`],
  ['/api/admin/projects/{projectId}/features', nowhere],
  [
    '/api/admin/projects/{projectId}/context/{contextField}',
    'GET /api/admin/projects/{projectId}/context/{contextField}',
  ],
  ['/api/admin/projects/{projectId}/context', nowhere],
  ['/api/admin/projects/{projectId}/api-tokens', nowhere],
  ['/api/admin/projects/{projectId}/access', 'GET /api/admin/projects/{projectId}/access'],
  ['/api/admin/projects/{projectId}', project],
  ['/api/admin/projects/archive/{projectId}', project],
  ['/api/admin/projects/revive/{projectId}', project],
  ['/api/admin/environments/{name}/clone', nowhere],
  ['/api/admin/environments/{name}', 'GET /api/admin/environments/{name}'],
  ['/api/admin/environments/update/{name}', 'GET /api/admin/environments/{name}'],
  ['/api/admin/context/{contextField}', 'GET /api/admin/context/{contextField}'],
  ['/api/admin/segments/{id}', 'GET /api/admin/segments/{id}'],
  ['/api/admin/strategies/{name}', 'GET /api/admin/strategies/{name}'],
  ['/api/admin/tag-types/{name}', 'GET /api/admin/tag-types/{name}'],
  ['/api/admin/addons/{id}', 'GET /api/admin/addons/{id}'],
  ['/api/admin/roles/{id}', 'GET /api/admin/roles/{id}'],
  ['/api/admin/user-admin/{id}', 'GET /api/admin/user-admin/{id}'],
  ['/api/admin/groups/{id}', 'GET /api/admin/groups/{id}'],
  ['/api/admin/invite-link/tokens/{token}', 'GET /api/admin/invite-link/tokens/{token}'],
  ['/api/admin/auth/saml/settings', 'GET /api/admin/auth/saml/settings'],
  ['/api/admin/auth/oidc/settings', 'GET /api/admin/auth/oidc/settings'],
  ['/api/admin/auth/simple/settings', 'GET /api/admin/auth/simple/settings'],
  ['/api/admin/maintenance', 'GET /api/admin/maintenance'],
  ['/api/admin/metrics/applications/{appName}', 'GET /api/admin/metrics/applications/{appName}'],
];

/** Where the thing is read that an operation changes under `If-Match`; undefined where there is no such thing. */
export function readOf({ method, path, etag }: Declaration): Specification['route'] | undefined {
  if (method === 'GET' || etag === undefined) return undefined;
  return reads.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}

/** The variables of the path of a read. */
export function paramsOf({ specified: { params = {} }, project }: Example): Readonly<Record<string, string | number>> {
  return { ...(project !== undefined && { projectId: project }), ...params };
}
