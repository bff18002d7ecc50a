import { environmentView } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { environment, environmentInput } from '../../lib/schemas/environment.ts';
import { createEnvironment } from '../../lib/spaces/create-environment.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/environments',
  group: 'Environments',
  summary: 'Creates an environment, which is in no project yet.',
  permission: 'ADMIN',
  body: environmentInput,
  responses: { 201: environment },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createEnvironment(request, caller, body),
  (created) => ({
    body: environmentView(created),
    headers: { location: `/api/admin/environments/${encodeURIComponent(created.name)}` },
  }),
);
