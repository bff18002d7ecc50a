import { specify } from '../../specifications/specify.ts';

specify('updateFeedback', {
  route: 'PUT /api/admin/feedback/{id}',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({
    params: { id: world.name('question') },
    body: { neverShow: false, given: '2026-11-22T06:23:52.724Z' },
  }),
  takesAnyName: ['id'],
  nullable: ['given'],
  again: 'once more',
});
