import { endpoint } from '../../lib/http/endpoint.ts';
import { idText, object } from '../../lib/schemas/primitives.ts';
import { deleteUser } from '../../lib/users/administer-users.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/user-admin/{id}',
  group: 'Users',
  summary: 'Deletes a user with their tokens; not the last Admin.',
  description: 'Processes that have used a token of theirs lately may accept it for five more seconds.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: null },
  errors: [404],
}).handle(({ table, caller, params }) => deleteUser(table, caller, params.id));
