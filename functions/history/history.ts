import { listCheckpoints } from '../../lib/history/checkpoints.ts';
import { checkpointPage, checkpointsQuery, eventProof, proofQuery } from '../../lib/history/history-schema.ts';
import { proveEvent } from '../../lib/history/prove-event.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const endpoint = endpointsOf('History');

export const getHistoryCheckpoints = endpoint({
  route: 'GET /api/admin/history/checkpoints',
  summary: 'Lists signed checkpoints of the history, newest first.',
  description:
    'Unleash has no such operation. A checkpoint names a seal by its hash. Keep checkpoints elsewhere: `npm run verify -- --checkpoint FILE` then shows that nobody altered the history before. `keys` has the public keys of the signatures; an auditor should get them in another way. `before` is the lowest `number` of the previous page. The list is empty without a key.',
  query: checkpointsQuery,
  responses: { 200: checkpointPage },
}).handle(({ request, query }) => listCheckpoints(request, query));

export const getEventProof = endpoint({
  route: 'GET /api/admin/history/proof',
  summary: 'Returns the proof that an event is part of the history.',
  description:
    'Unleash has no such operation. `id` and `createdAt` are those of the event; without `createdAt`, the newest 20,000 changes are searched. The proof has the stored item of the event, its place in its seal, and the heads of the seals up to the first checkpoint; with `to`, up to the seal with that number, whose checkpoint it has. A reply has at most 1,000 heads; `from` continues after the last. While no seal lists the event, the proof has the links to the feature itself. It takes minutes until a seal lists an event, and in a deployment up to an hour. The reply is 403 for an event that the caller sees in part.',
  query: proofQuery,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: eventProof },
  errors: [403, 404],
}).handle(({ request, query }) => proveEvent(request, query));
