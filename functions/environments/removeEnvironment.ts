import { deleteEnvironment } from '../../lib/environments/delete-environment.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/environments/{name}',
  group: 'Environments',
  summary: 'Deletes an environment that is not protected, with its tokens and the configuration of features in it.',
  permission: 'ADMIN',
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteEnvironment(request, caller, params.name));
