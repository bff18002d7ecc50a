import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('updateSplashSettings', {
  route: 'POST /api/admin/splash/{id}',
  may: 'any token',
  request: (world) => ({ params: { id: world.name('screen') } }),
  takesAnyName: ['id'],
  again: 'once more',
});

test('Of a user 200 screens and questions are kept at most, and those that are can be noted again', async () => {
  const service = await freshService();
  const token = await new World(service).token();
  const note = async (id: number) =>
    (await service.post(`/api/admin/splash/screen-${id}`, undefined, { token })).status;
  const statuses = await Promise.all(Array.from({ length: 199 }, (_, id) => note(id)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const answering = { feedbackId: 'question' };
  expect((await service.post('/api/admin/feedback', answering, { token })).status).toBe(200);
  expect(await note(200)).toBe(400);
  expect(await note(0)).toBe(200);
  expect((await service.post('/api/admin/feedback', { feedbackId: 'another' }, { token })).status).toBe(400);
});
