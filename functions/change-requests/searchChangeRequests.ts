import { searchChangeRequests } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { changeRequestSearch, foundChangeRequests } from '../../lib/requested/change-request-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/search/change-requests',
  group: 'Change requests',
  summary: 'Searches the change requests of all projects.',
  permission: 'NONE',
  query: changeRequestSearch,
  responses: { 200: foundChangeRequests },
}).handle(({ request, caller, query }) => searchChangeRequests(request, caller, query));
