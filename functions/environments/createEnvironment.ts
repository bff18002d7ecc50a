import { environment, environmentInput } from '../../lib/environments/environment-schema.ts';
import { environmentView } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { createEnvironment } from '../../lib/provisioning/create-environment.ts';

export const handler = endpoint({
  route: 'POST /api/admin/environments',
  group: 'Environments',
  summary: 'Creates an environment, which no project has yet.',
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
