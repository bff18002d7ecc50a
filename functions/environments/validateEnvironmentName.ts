import { environmentName } from '../../lib/environments/environment-schema.ts';
import { environments } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/environments/validate',
  group: 'Environments',
  summary: 'Checks whether an environment can be created with a name.',
  permission: 'ADMIN',
  rights: 'read',
  body: object({ name: environmentName }),
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => environments.requireFreeName(request, body.name));
