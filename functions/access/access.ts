import * as v from 'valibot';
import { csvOrJson } from '../../lib/http/content-reply.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { accessOverviewEntry } from '../../lib/people/rights/access-overview-schema.ts';
import { formatOverview, listAccessOverview } from '../../lib/people/rights/overview.ts';
import { addAccess, loadProjectAccess, setAccess, setProjectRoles } from '../../lib/people/rights/project-access.ts';
import {
  accessInput,
  groupAccessPath,
  projectAccess,
  rolesInput,
  userAccessPath,
  wholeAccessInput,
} from '../../lib/people/rights/project-access-schema.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Project access');

export const addAccessToProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/access',
  summary: 'Adds roles in a project to users and groups.',
  description: 'Callers can only grant permissions that they have in the project themselves.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  body: accessInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addAccess(request, caller, params.projectId, body));

export const getAccessOverview = endpoint({
  route: 'GET /api/admin/access/overview',
  summary: 'Lists the access of every user: their root role, their groups, and the projects where they have roles.',
  description: 'With `Accept: text/csv` the reply is CSV.',
  permission: 'ADMIN',
  csv: true,
  responses: { 200: object({ overview: v.array(accessOverviewEntry) }) },
}).handle(
  ({ request }) => listAccessOverview(request),
  (overview, { header }) => csvOrJson(header('accept'), () => formatOverview(overview), { overview }),
);

export const getProjectAccess = endpoint({
  route: 'GET /api/admin/projects/{projectId}/access',
  summary: 'Lists the users and groups that have roles in a project, and the roles that can be granted there.',
  description:
    'Users, service accounts and groups can have roles in a project. Each is listed with the time of the grant. If the members of all groups are too many for a reply, `users` of groups is missing and a `warning` header says so.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ', 'PROJECT_USER_ACCESS_WRITE'],
  responses: { 200: projectAccess },
  etag: true,
}).handle(({ request, params }) => loadProjectAccess(request, params.projectId));

export const removeGroupAccess = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/groups/{groupId}/roles',
  summary: 'Removes all roles of a group in a project.',
  description: 'Members lose the permissions that the group gave them in the project, and keep their other ones.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: groupAccessPath,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) =>
  setProjectRoles(request, caller, params.projectId, 'groups', params.groupId, []),
);

export const removeUserAccess = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/users/{userId}/roles',
  summary: 'Removes all roles of a user in a project.',
  description: 'Users keep the permissions of their root role and groups. `userId` may also be a service account.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: userAccessPath,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) =>
  setProjectRoles(request, caller, params.projectId, 'users', params.userId, []),
);

export const setProjectAccess = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/access',
  summary: 'Replaces the roles of all users and groups in a project.',
  description: 'Callers can only grant permissions that they have in the project themselves.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  body: wholeAccessInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setAccess(request, caller, params.projectId, body));

export const setRolesForGroup = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/groups/{groupId}/roles',
  summary: 'Replaces the roles of a group in a project.',
  description: 'Callers can only grant permissions that they have in the project themselves.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: groupAccessPath,
  body: rolesInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  setProjectRoles(request, caller, params.projectId, 'groups', params.groupId, body.roles),
);

export const setRolesForUser = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/users/{userId}/roles',
  summary: 'Replaces the roles of a user in a project.',
  description: 'Callers can only grant permissions that they have in the project themselves.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: userAccessPath,
  body: rolesInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  setProjectRoles(request, caller, params.projectId, 'users', params.userId, body.roles),
);
