import { endpointsOf } from '../../lib/http/endpoint.ts';
import { sentRequest } from '../../lib/http/sent-request.ts';
import { groupKind, type ScimResource, userKind } from '../../lib/scim/attributes.ts';
import { findDirectory } from '../../lib/scim/directory-token.ts';
import { describeKind, describeSchema, describeService, listKinds, listSchemas } from '../../lib/scim/discovery.ts';
import { groupSource, loadProvisionedGroup } from '../../lib/scim/groups/find-groups.ts';
import { provisionGroup } from '../../lib/scim/groups/provision-group.ts';
import { updateProvisionedGroup } from '../../lib/scim/groups/update-group.ts';
import { withdrawGroup } from '../../lib/scim/groups/withdraw-group.ts';
import { listResources } from '../../lib/scim/list-resources.ts';
import { parseResource } from '../../lib/scim/parse-resource.ts';
import { parseOperations, patchResource } from '../../lib/scim/patch.ts';
import {
  type AttributeSelection,
  type LinkBase,
  locationOf,
  presentResource,
  type StoredResource,
} from '../../lib/scim/present.ts';
import {
  type ScimGroup,
  type ScimUser,
  scimDescription,
  scimGroup,
  scimListOf,
  scimListQuery,
  scimPatchInput,
  scimResourceInput,
  scimSearchInput,
  scimSelection,
  scimUser,
} from '../../lib/scim/scim-schema.ts';
import { loadProvisionedUser, userSource } from '../../lib/scim/users/find-users.ts';
import { provisionUser } from '../../lib/scim/users/provision-user.ts';
import { updateProvisionedUser } from '../../lib/scim/users/update-user.ts';
import { withdrawUser } from '../../lib/scim/users/withdraw-user.ts';

const endpoint = endpointsOf('SCIM');

/** The properties of all operations: only a directory may call them, with its own token. */
const ofDirectory = {
  audience: 'public',
  signedBy: (request, event) => findDirectory(request, sentRequest(event).header('authorization')),
  protocol: 'SCIM',
} as const satisfies Partial<Parameters<typeof endpoint>[0]>;

const contentType = 'application/scim+json';

/** The body limit of groups with thousands of members. */
const groupBytes = 2 * 1024 * 1024;

const presentUser = (stored: StoredResource, links: LinkBase, selection: AttributeSelection) =>
  presentResource(userKind, stored, links, selection) as ScimUser;
const presentGroup = (stored: StoredResource, links: LinkBase, selection: AttributeSelection) =>
  presentResource(groupKind, stored, links, selection) as ScimGroup;

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const listOf = (all: readonly ScimResource[]) => ({
  schemas: [listSchema],
  totalResults: all.length,
  startIndex: 1,
  itemsPerPage: all.length,
  Resources: all as never[],
});

const aliasNote = 'All operations of SCIM are also below `/scim/v2`.';

export const getScimServiceProviderConfig = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/ServiceProviderConfig',
  alias: '/scim/v2/ServiceProviderConfig',
  rights: 'none',
  summary: 'Describes which features of SCIM 2.0 the service supports.',
  description: `These are filters, PATCH and ETags, but neither bulk operations nor sorting. ${aliasNote}`,
  responses: { 200: scimDescription, 304: null },
  errors: [401],
}).handle(
  async () => ({}),
  (_, links) => ({ body: describeService(links) as never }),
);

export const getScimResourceTypes = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/ResourceTypes',
  alias: '/scim/v2/ResourceTypes',
  rights: 'none',
  summary: 'Lists the kinds of resources that a directory can manage: users and groups.',
  description: 'Each has the path of its resources, and the id of its schema.',
  responses: { 200: scimListOf(scimDescription), 304: null },
  errors: [401],
}).handle(
  async () => ({}),
  (_, links) => ({ body: listOf(listKinds(links)) }),
);

export const getScimResourceType = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/ResourceTypes/{id}',
  alias: '/scim/v2/ResourceTypes/{id}',
  rights: 'none',
  summary: 'Describes a kind of resource.',
  description: 'The id is `User` or `Group`.',
  responses: { 200: scimDescription, 304: null },
  errors: [401, 404],
}).handle(async ({ params, origin }) => describeKind(params.id, { origin }) as never);

export const getScimSchemas = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Schemas',
  alias: '/scim/v2/Schemas',
  rights: 'none',
  summary: 'Lists the schemas of users and groups, and those of the descriptions of SCIM.',
  description: 'A schema lists the attributes that are stored. Others may be sent, and are ignored.',
  responses: { 200: scimListOf(scimDescription), 304: null },
  errors: [401],
}).handle(
  async () => ({}),
  (_, links) => ({ body: listOf(listSchemas(links)) }),
);

export const getScimSchema = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Schemas/{id}',
  alias: '/scim/v2/Schemas/{id}',
  rights: 'none',
  summary: 'Describes a schema.',
  description: 'The id is a name such as `urn:ietf:params:scim:schemas:core:2.0:User`.',
  responses: { 200: scimDescription, 304: null },
  errors: [401, 404],
}).handle(async ({ params, origin }) => describeSchema(params.id, { origin }) as never);

export const searchScim = endpoint({
  ...ofDirectory,
  contentType,
  route: 'POST /scim/.search',
  alias: '/scim/v2/.search',
  summary: 'Lists the users and groups that the directory manages, by a query in the body.',
  description: 'The query is that of `GET /scim/Users`. Users come before groups.',
  rights: 'read',
  bodyType: contentType,
  body: scimSearchInput,
  responses: { 200: scimListOf(scimDescription) },
  errors: [400, 401],
}).handle(
  ({ request, body, origin }) => {
    const { attributes, excludedAttributes, ...query } = body;
    const selection = { attributes: attributes?.join(), excludedAttributes: excludedAttributes?.join() };
    return listResources(request, [userSource, groupSource], { ...query, ...selection }, { origin });
  },
  (list) => ({ body: { schemas: [listSchema], ...list } as never }),
);

export const getScimUsers = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Users',
  alias: '/scim/v2/Users',
  summary: 'Lists the users that the directory manages.',
  description:
    '`filter` is a filter of RFC 7644. Those with `eq` for `id`, `userName`, `externalId` or `emails` use an index, which knows the main e-mail address; others read all users. `startIndex` begins with 1. A page has 100 users by default, and at most 200. `attributes` and `excludedAttributes` are lists with commas.',
  query: scimListQuery,
  responses: { 200: scimListOf(scimUser), 304: null },
  errors: [400, 401],
}).handle(
  ({ request, query, origin }) => listResources(request, [userSource], query, { origin }),
  (list) => ({ body: { schemas: [listSchema], ...list } as never }),
);

export const createScimUser = endpoint({
  ...ofDirectory,
  contentType,
  route: 'POST /scim/Users',
  alias: '/scim/v2/Users',
  summary: 'Creates a user, or lets the directory manage an existing one.',
  description:
    'A user with the same name or e-mail address becomes managed by the directory and keeps their roles. A new user is a Viewer. The reply is 409 if the directory manages such a user already, or if only the name is the same and the user has more rights than a Viewer or a role in a project.',
  bodyType: contentType,
  body: scimResourceInput,
  query: scimSelection,
  responses: { 201: scimUser },
  etag: true,
  errors: [401, 409],
}).handle(
  ({ request, body }) => provisionUser(request, parseResource(userKind, body)),
  (stored, { query, ...links }) => ({
    headers: { location: locationOf(userKind, stored.id, links) },
    body: presentUser(stored, links, query),
  }),
);

export const getScimUser = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Users/{id}',
  alias: '/scim/v2/Users/{id}',
  summary: 'Returns a user that the directory manages.',
  description: 'Their roles are not part of SCIM.',
  query: scimSelection,
  responses: { 200: scimUser, 304: null },
  etag: true,
  errors: [401, 404],
}).handle(
  ({ request, params }) => loadProvisionedUser(request, params.id),
  (stored, { query, ...links }) => ({ body: presentUser(stored, links, query) }),
);

export const replaceScimUser = endpoint({
  ...ofDirectory,
  contentType,
  route: 'PUT /scim/Users/{id}',
  alias: '/scim/v2/Users/{id}',
  summary: 'Replaces the attributes of a user.',
  description: 'Attributes that are left out are removed, except `active`.',
  bodyType: contentType,
  body: scimResourceInput,
  query: scimSelection,
  responses: { 200: scimUser },
  etag: true,
  errors: [401, 404, 409],
}).handle(
  ({ request, params, body }) => updateProvisionedUser(request, params.id, () => parseResource(userKind, body)),
  (stored, { query, ...links }) => ({ body: presentUser(stored, links, query) }),
);

export const patchScimUser = endpoint({
  ...ofDirectory,
  contentType,
  route: 'PATCH /scim/Users/{id}',
  alias: '/scim/v2/Users/{id}',
  summary: 'Changes attributes of a user.',
  description:
    'The operations are those of RFC 7644, also in the dialect of Entra. `active: false` ends the sessions and tokens of the user within five seconds; their roles stay. The reply is 400 for the last Admin.',
  bodyType: contentType,
  body: scimPatchInput,
  query: scimSelection,
  responses: { 200: scimUser },
  etag: true,
  errors: [401, 404, 409],
}).handle(
  ({ request, params, body }) => {
    const operations = parseOperations(body);
    return updateProvisionedUser(request, params.id, (resource) => patchResource(userKind, resource, operations));
  },
  (stored, { query, ...links }) => ({ body: presentUser(stored, links, query) }),
);

export const deleteScimUser = endpoint({
  ...ofDirectory,
  route: 'DELETE /scim/Users/{id}',
  alias: '/scim/v2/Users/{id}',
  summary: 'Ends the access of a user, who is no longer managed by the directory.',
  description:
    'Their sessions and tokens end within five seconds. The user keeps their roles, but not their memberships by the directory, in case the directory creates the user again. The reply is 400 for the last Admin.',
  responses: { 204: null },
  etag: 'checked',
  errors: [401, 404],
}).handle(({ request, params }) => withdrawUser(request, params.id));

export const getScimGroups = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Groups',
  alias: '/scim/v2/Groups',
  summary: 'Lists the groups that the directory manages.',
  description:
    '`filter` is a filter of RFC 7644. Those with `eq` for `id`, `displayName`, `externalId` or `members` use an index; others read all groups. Replies are smaller without members, by `excludedAttributes=members`. A page ends early if its groups have more than 20,000 members.',
  query: scimListQuery,
  responses: { 200: scimListOf(scimGroup), 304: null },
  errors: [400, 401],
}).handle(
  ({ request, query, origin }) => listResources(request, [groupSource], query, { origin }),
  (list) => ({ body: { schemas: [listSchema], ...list } as never }),
);

export const createScimGroup = endpoint({
  ...ofDirectory,
  contentType,
  route: 'POST /scim/Groups',
  alias: '/scim/v2/Groups',
  summary: 'Creates a group, or lets the directory manage an existing one.',
  description:
    'The group with the same name becomes managed by the directory, or else the only one whose `mappingsSSO` has the name. It keeps its roles, which its new members then have. The reply is 409 if the group with the name has roles, but not the name in its `mappingsSSO`. Unknown members are ignored. More than 40 members are added in several transactions; the same request completes them if it was interrupted.',
  bodyType: contentType,
  bodyBytesMin: groupBytes,
  body: scimResourceInput,
  query: scimSelection,
  responses: { 201: scimGroup },
  etag: true,
  errors: [401, 409],
}).handle(
  ({ request, body, origin }) => provisionGroup(request, parseResource(groupKind, body), { origin }),
  (stored, { query, ...links }) => ({
    headers: { location: locationOf(groupKind, stored.id, links) },
    body: presentGroup(stored, links, query),
  }),
);

export const getScimGroup = endpoint({
  ...ofDirectory,
  contentType,
  route: 'GET /scim/Groups/{id}',
  alias: '/scim/v2/Groups/{id}',
  summary: 'Returns a group that the directory manages.',
  description: 'It has the members whom the directory added, and not those whom administrators added.',
  query: scimSelection,
  responses: { 200: scimGroup, 304: null },
  etag: true,
  errors: [401, 404],
}).handle(
  ({ request, params, origin }) => loadProvisionedGroup(request, params.id, { origin }),
  (stored, { query, ...links }) => ({ body: presentGroup(stored, links, query) }),
);

export const replaceScimGroup = endpoint({
  ...ofDirectory,
  contentType,
  route: 'PUT /scim/Groups/{id}',
  alias: '/scim/v2/Groups/{id}',
  summary: 'Replaces the attributes of a group.',
  description: 'Attributes that are left out are removed, also `members`. Members whom administrators added stay.',
  bodyType: contentType,
  bodyBytesMin: groupBytes,
  body: scimResourceInput,
  query: scimSelection,
  responses: { 200: scimGroup },
  etag: true,
  errors: [401, 404, 409],
}).handle(
  ({ request, params, body, origin }) =>
    updateProvisionedGroup(request, params.id, () => parseResource(groupKind, body), { origin }),
  (stored, { query, ...links }) => ({ body: presentGroup(stored, links, query) }),
);

export const patchScimGroup = endpoint({
  ...ofDirectory,
  contentType,
  route: 'PATCH /scim/Groups/{id}',
  alias: '/scim/v2/Groups/{id}',
  summary: 'Changes attributes of a group.',
  description:
    'The operations are those of RFC 7644, also in the dialect of Entra. Unknown members are ignored. More than 40 changes of members take several transactions; the same request completes them if it was interrupted.',
  bodyType: contentType,
  bodyBytesMin: groupBytes,
  body: scimPatchInput,
  query: scimSelection,
  responses: { 200: scimGroup },
  etag: true,
  errors: [401, 404, 409],
}).handle(
  ({ request, params, body, origin }) => {
    const operations = parseOperations(body);
    return updateProvisionedGroup(request, params.id, (resource) => patchResource(groupKind, resource, operations), {
      origin,
    });
  },
  (stored, { query, ...links }) => ({ body: presentGroup(stored, links, query) }),
);

export const deleteScimGroup = endpoint({
  ...ofDirectory,
  route: 'DELETE /scim/Groups/{id}',
  alias: '/scim/v2/Groups/{id}',
  summary: 'Deletes a group that the directory created.',
  description: 'A group that existed before stays with its roles, and loses only the members whom the directory added.',
  responses: { 204: null },
  etag: 'checked',
  errors: [401, 404],
}).handle(({ request, params }) => withdrawGroup(request, params.id));
