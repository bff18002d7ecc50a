import { environment, environmentUpdate } from '../../lib/environments/environment-schema.ts';
import { environmentView } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { updateEnvironment } from '../../lib/provisioning/change-environments.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/environments/update/{name}',
  group: 'Environments',
  summary: 'Updates the type and the sort order of an environment that is not protected.',
  permission: 'ADMIN',
  body: environmentUpdate,
  responses: { 200: environment },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateEnvironment(request, caller, params.name, body),
  (updated) => ({ body: environmentView(updated) }),
);
