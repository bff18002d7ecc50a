import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/edges',
  group: 'Unavailable',
  summary: 'Returns the connected instances of Unleash Edge; their reports are not kept.',
  rights: 'none',
  responses: { 200: object({ connectedEdges: v.array(v.looseObject({})), revisionIds: v.array(count) }) },
}).handle(async () => ({ connectedEdges: [], revisionIds: [] }));
