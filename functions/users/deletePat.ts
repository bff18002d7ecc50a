import { endpoint } from '../../lib/http/endpoint.ts';
import { deletePat } from '../../lib/tokens/personal-tokens.ts';
import { idText, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/user/tokens/{id}',
  group: 'Users',
  summary: 'Deletes a personal access token of the caller.',
  permission: 'NONE',
  params: object({ id: idText }),
  responses: { 200: null },
}).handle(({ request, caller, params }) => deletePat(request, caller, params.id));
