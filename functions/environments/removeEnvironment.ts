import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteEnvironment } from '../../lib/provisioning/delete-environment.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/environments/{name}',
  group: 'Environments',
  summary: 'Deletes an environment that is not protected, with its tokens and the configuration of features in it.',
  permission: 'ADMIN',
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteEnvironment(request, caller, params.name));
