import { environments } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/environments/{name}/on',
  group: 'Environments',
  summary: 'Enables an environment.',
  permission: 'ADMIN',
  responses: { 204: null },
  etag: true,
}).handle(
  ({ request, caller, params }) =>
    environments.update(request, caller, params.name, (before) => ({ ...before, enabled: true })),
  () => ({}),
);
