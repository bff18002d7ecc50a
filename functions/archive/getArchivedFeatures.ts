import { archivedFeatures, archivePage } from '../../lib/features/archive-schema.ts';
import { listAllArchivedFeatures } from '../../lib/features/items/archive-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { linkToNext } from '../../lib/http/link.ts';

export const handler = endpoint({
  route: 'GET /api/admin/archive/features',
  group: 'Archive',
  summary: 'Lists the archived features of all projects, latest first.',
  description: 'Pages work as in the archive of a project.',
  deprecated: true,
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: archivePage,
  // One call may read some thousand units of each project.
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: archivedFeatures },
}).handle(
  ({ request, caller, query }) => listAllArchivedFeatures(request, caller, query),
  ({ features, next }, { query: { limit } }) => ({
    body: { version: 2, features },
    ...(next !== undefined && { headers: linkToNext('/api/admin/archive/features', { limit, before: next }) }),
  }),
);
