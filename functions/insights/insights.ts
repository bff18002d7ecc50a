import { csvOrJson } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { formatTrends } from '../../lib/trends/format-trends.ts';
import { arrangeTrends, loadVisibleWeeks } from '../../lib/trends/load-trends.ts';
import { trends, trendsQuery } from '../../lib/trends/trends-schema.ts';

export const getInsights = endpoint({
  route: 'GET /api/admin/insights',
  group: 'Insights',
  summary: 'Returns the numbers of past weeks and of this one: flags, users, changes and evaluations, by project.',
  description:
    'Weeks are those of ISO 8601, in UTC. Numbers of this week are at most 15 minutes old. Sums are those of the projects that the caller sees. With `Accept: text/csv` or `format=csv` the reply is CSV, with a row for each project and week. `projects` is a comma-separated list of project ids; by default, all projects are included.',
  // The first reader after a while records the numbers for the next ones. An agent may do so, too.
  rights: 'count',
  agents: 'allowed',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: trendsQuery,
  csv: true,
  responses: { 200: trends },
}).handle(
  ({ request, query }) => loadVisibleWeeks(request, query),
  (weeks, { header, query }) =>
    csvOrJson(query.format === 'csv' ? 'text/csv' : header('accept'), () => formatTrends(weeks), arrangeTrends(weeks)),
);
