import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requireRoles } from '../../lib/people/roles/require-roles.ts';
import { emailAddressOrNone, namedRootRole, rootRoleId } from '../../lib/people/user-fields.ts';
import { changedUser } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { updateUserWhoSignsIn } from '../../lib/sign-in/update-user.ts';
import { idText, object, textOfLength } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/user-admin/{id}',
  group: 'Users',
  summary: 'Updates a user: name, e-mail address and role. The last Admin cannot get another role.',
  description: 'With another e-mail address, the links end by which the user may choose a password.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  body: object({
    email: v.exactOptional(emailAddressOrNone),
    name: v.exactOptional(textOfLength(0, 255)),
    rootRole: v.exactOptional(namedRootRole),
  }),
  responses: { 200: changedUser },
  etag: true,
  errors: [404, 409],
}).handle(
  async ({ request, caller, params, body: { email, name, rootRole } }) => {
    const role = rootRole === undefined ? undefined : rootRoleId(rootRole);
    if (role !== undefined) await requireRoles(request, 'root', [{ id: role, path: 'rootRole' }]);
    return updateUserWhoSignsIn(request, caller, params.id, { email, name, rootRole: role });
  },
  (updated, { body }) => ({ body: { ...userView(updated), rootRole: body.rootRole ?? updated.rootRole } }),
);
