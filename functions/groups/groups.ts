import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import * as lib from '../../lib/people/groups/administer-groups.ts';
import { group, groupInput, groupPath, groupUpdate, listedGroup } from '../../lib/people/groups/group-schema.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Groups');

/** The body limit of groups with thousands of members. */
const groupBytes = 256 * 1024;

export const createGroup = endpoint({
  route: 'POST /api/admin/groups',
  summary: 'Creates a group. Its members have its root role, and its roles in projects.',
  description:
    '`mappingsSSO` are names of groups of an identity provider. Their members join this group when they sign on. The reply is 409 if the name is in use, and 400, with all names, if users do not exist.',
  permission: 'ADMIN',
  bodyBytesMin: groupBytes,
  body: groupInput,
  responses: { 201: group },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => lib.createGroup(request, caller, body),
  ({ id }) => ({ headers: { location: `/api/admin/groups/${id}` } }),
);

export const deleteGroup = endpoint({
  route: 'DELETE /api/admin/groups/{id}',
  summary: 'Deletes a group. Its members lose the permissions that the group gave them.',
  description: 'They keep their permissions from other sources.',
  permission: 'ADMIN',
  params: groupPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.deleteGroup(request, caller, params.id));

export const deleteScimGroups = endpoint({
  route: 'DELETE /api/admin/groups/scim-groups',
  summary:
    'Deletes the groups that a directory manages by SCIM. Their members lose the permissions that they gave them.',
  description:
    'The directory may create them again, without their roles. The reply is 503 if some remain after 15 seconds: send the request again.',
  permission: 'ADMIN',
  responses: { 200: null },
}).handle(({ request, caller }) => lib.deleteManagedGroups(request, caller));

export const getGroup = endpoint({
  route: 'GET /api/admin/groups/{id}',
  summary: 'Returns a group with its members, and the projects where it has roles.',
  description: 'For each member, it says when they joined and who added them.',
  permission: 'ADMIN',
  params: groupPath,
  responses: { 200: group },
  etag: true,
}).handle(({ request, params }) => lib.loadGroup(request, params.id));

export const getGroups = endpoint({
  route: 'GET /api/admin/groups',
  summary: 'Lists all groups with their members, and the projects where they have roles.',
  description:
    'For each member, it says when they joined and who added them. If all members are too many for a reply, `users` is missing and a `warning` header says so; `userCount` counts them, and `GET …/groups/{id}` lists those of a group.',
  permission: 'ADMIN',
  responses: { 200: object({ groups: v.array(listedGroup) }) },
}).handle(async ({ request }) => ({ groups: await lib.listGroups(request) }));

export const updateGroup = endpoint({
  route: 'PUT /api/admin/groups/{id}',
  summary: 'Updates a group. `users` replaces all its members. Omitted fields keep their values.',
  description:
    'The reply is 409 if the name is in use, and 400, with all names, if users do not exist. While SCIM is on, the name and the members of a group with a `scimId` cannot be changed: the reply is 403.',
  permission: 'ADMIN',
  params: groupPath,
  bodyBytesMin: groupBytes,
  body: groupUpdate,
  responses: { 200: group },
  etag: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) => lib.editGroup(request, caller, params.id, body));
