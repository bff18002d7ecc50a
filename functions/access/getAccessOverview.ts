import * as v from 'valibot';
import { csvOrJson } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { accessOverviewEntry } from '../../lib/people/rights/access-overview-schema.ts';
import { accessOverview, overviewCsv } from '../../lib/people/rights/overview.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/access/overview',
  group: 'Project access',
  summary: 'Lists the access of every user: their root role, their groups, and the projects where they have roles.',
  description: 'With `Accept: text/csv` the reply is CSV.',
  permission: 'ADMIN',
  csv: true,
  responses: { 200: object({ overview: v.array(accessOverviewEntry) }) },
}).handle(
  ({ request }) => accessOverview(request),
  (overview, { header }) => csvOrJson(header('accept'), () => overviewCsv(overview), { overview }),
);
