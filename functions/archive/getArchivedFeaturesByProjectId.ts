import * as v from 'valibot';
import { listArchivedFeatures } from '../../lib/features/archive-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listedFeature } from '../../lib/schemas/feature.ts';
import { name, object, positiveIntegerText, timestamp } from '../../lib/schemas/primitives.ts';

const place = v.pipe(
  v.string(),
  v.check((text) => {
    const [time, feature, ...more] = text.split(',');
    return v.is(timestamp, time) && (feature === undefined || v.is(name, feature)) && more.length === 0;
  }, 'A time such as 2026-01-01T00:00:00.000Z is needed, or that and the name of a feature with a comma between.'),
);

const page = object({
  limit: v.exactOptional(positiveIntegerText),
  before: v.exactOptional(place),
});

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/archive/features/{projectId}',
  group: 'Archive',
  summary: 'Lists the archived features of a project, latest first.',
  description:
    'At most `limit` of them, as many as fit into an answer, and only those archived `before` a time, or after a place ' +
    'in the list, which is the `archivedAt` and the name of a feature with a comma between. Where there are more, the ' +
    '`Link` header has the path of the next page.',
  deprecated: true,
  query: page,
  // One call may read some thousand units, where an archive is as large as an answer can be.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(2), features: v.array(listedFeature) }) },
  errors: [404],
}).handle(
  ({ table, params, query }) => listArchivedFeatures(table, params.projectId, query),
  ({ features, next }, { params, query }) => ({
    body: { version: 2, features },
    ...(next !== undefined && { headers: { link: nextPage(params.projectId, next, query.limit) } }),
  }),
);

/** RFC 8288. */
function nextPage(projectId: string, before: string, limit: number | undefined): string {
  const query = new URLSearchParams({ ...(limit !== undefined && { limit: String(limit) }), before });
  return `</api/admin/archive/features/${encodeURIComponent(projectId)}?${query}>; rel="next"`;
}
