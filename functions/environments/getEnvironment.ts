import { environment } from '../../lib/environments/environment-schema.ts';
import { environments, environmentView } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/environments/{name}',
  group: 'Environments',
  summary: 'Returns an environment.',
  responses: { 200: environment },
  etag: true,
}).handle(
  ({ request, params }) => environments.load(request, params.name),
  (found) => ({ body: environmentView(found) }),
);
