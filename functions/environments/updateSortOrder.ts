import { environmentOrder } from '../../lib/environments/environment-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { orderEnvironments } from '../../lib/provisioning/change-environments.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/environments/sort-order',
  group: 'Environments',
  summary: 'Reorders environments; those that are not named stay where they are.',
  permission: 'ADMIN',
  body: environmentOrder,
  responses: { 200: null },
  errors: [404],
}).handle(({ request, caller, body }) => orderEnvironments(request, caller, body));
