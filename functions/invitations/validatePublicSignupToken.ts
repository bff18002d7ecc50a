import { endpoint } from '../../lib/http/endpoint.ts';
import { requireOpen } from '../../lib/sign-in/invitations.ts';

export const handler = endpoint({
  route: 'GET /invite/{token}/validate',
  group: 'Invitations',
  summary: 'Checks whether an invitation link is valid.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
  errors: [],
}).handle(async ({ request, params }) => void (await requireOpen(request, params.token)));
