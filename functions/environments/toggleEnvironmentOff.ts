import { environments } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/environments/{name}/off',
  group: 'Environments',
  summary:
    'Disables an environment: new projects do not get it. Projects that have it keep it, and features in it are unchanged.',
  permission: 'ADMIN',
  responses: { 204: null },
  etag: true,
}).handle(
  ({ request, caller, params }) =>
    environments.update(request, caller, params.name, (before) => ({ ...before, enabled: false })),
  () => ({}),
);
