import { specify } from '../../specifications/specify.ts';

specify('getSegment', {
  route: 'GET /api/admin/segments/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: (await world.segment()).id } }),
});
