import { madeRequest } from '../../harness/change-requests.ts';
import { specify } from '../../specifications/specify.ts';

const context = {
  appName: 'web',
  userId: '7',
  sessionId: 's',
  remoteAddress: '127.0.0.1',
  environment: 'development',
  currentTime: '2026-01-31T12:00:00Z',
  properties: { plan: 'paid' },
};

specify('getChangeRequestPlayground', {
  route: 'POST /api/admin/playground/change-request/{id}',
  may: 'any token',
  request: async (world) => {
    const { id, author: authorization } = await madeRequest(world);
    return {
      params: { id },
      headers: { authorization },
      body: { context },
    };
  },
  required: ['context', 'context.appName'],
  waits: 6,
});
