import { endpoint } from '../../lib/http/endpoint.ts';
import { setAccess } from '../../lib/people/rights/project-access.ts';
import { wholeAccessInput } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/{projectId}/access',
  group: 'Project access',
  summary: 'Says who has which roles in a project; all others have none there.',
  description:
    'Nobody gives rights that they do not have themselves in the project, whatever permission they have here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  body: wholeAccessInput,
  responses: { 200: null },
  etag: true,
  errors: [404],
}).handle(({ request, caller, params, body }) => setAccess(request, caller, params.projectId, body));
