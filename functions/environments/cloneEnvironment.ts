import { environment, environmentClone } from '../../lib/environments/environment-schema.ts';
import { environmentView } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { cloneEnvironment } from '../../lib/provisioning/clone-environment.ts';

export const handler = endpoint({
  route: 'POST /api/admin/environments/{name}/clone',
  group: 'Environments',
  summary:
    'Clones an environment, with the configuration of the features of the given projects, or of all projects that have it.',
  permission: 'ADMIN',
  body: environmentClone,
  responses: { 201: environment },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => cloneEnvironment(request, caller, params.name, body),
  (created) => ({
    body: environmentView(created),
    headers: { location: `/api/admin/environments/${encodeURIComponent(created.name)}` },
  }),
);
