import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteUserWhoSignsIn } from '../../lib/sign-in/delete-user.ts';
import { idText, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/user-admin/{id}',
  group: 'Users',
  summary: 'Deletes a user with their tokens and sessions; not the last Admin.',
  description: 'Their tokens and sessions may be accepted for five more seconds.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteUserWhoSignsIn(request, caller, params.id));
