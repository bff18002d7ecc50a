import { archivedFeatures, archivePage } from '../../lib/features/archive-schema.ts';
import { listArchivedFeatures } from '../../lib/features/items/archive-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { linkToNext } from '../../lib/http/link.ts';

export const handler = endpoint({
  route: 'GET /api/admin/archive/features/{projectId}',
  group: 'Archive',
  summary: 'Lists the archived features of a project, latest first.',
  description:
    'At most `limit` of them, as many as fit into an answer, and only those archived `before` a time, or after a place ' +
    'in the list, which is the `archivedAt` and the name of a feature with a comma between. Where there are more, the ' +
    '`Link` header has the path of the next page.',
  deprecated: true,
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: archivePage,
  // One call may read some thousand units, where an archive is as large as an answer can be.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: archivedFeatures },
}).handle(
  ({ request, caller, params, query }) => listArchivedFeatures(request, caller, params.projectId, query),
  ({ features, next }, { params, query: { limit } }) => ({
    body: { version: 2, features },
    ...(next !== undefined && {
      headers: linkToNext(`/api/admin/archive/features/${encodeURIComponent(params.projectId)}`, {
        limit,
        before: next,
      }),
    }),
  }),
);
