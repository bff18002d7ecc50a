import { madeRequest } from '../../harness/change-requests.ts';
import { playgroundContext } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('getChangeRequestPlayground', {
  route: 'POST /api/admin/playground/change-request/{id}',
  may: 'any token',
  request: async (world) => {
    const { id, author: authorization } = await madeRequest(world);
    return {
      params: { id },
      headers: { authorization },
      body: { context: playgroundContext },
    };
  },
  required: ['context', 'context.appName'],
  waits: 6,
});
