import { specify } from '../../specifications/specify.ts';

specify('createFeedback', {
  route: 'POST /api/admin/feedback',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({ body: { feedbackId: world.name('question'), neverShow: true } }),
  required: ['feedbackId'],
  again: 'once more',
});
