import { expect } from 'vitest';
import { chunksOf } from '../../../lib/features/items/chunks.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('updateSplashSettings', {
  route: 'POST /api/admin/splash/{id}',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({ params: { id: world.name('screen') } }),
  takesAnyName: ['id'],
  again: 'once more',
});

test('Of a user 200 screens and questions are kept at most, and those that are can be noted again', async ({
  service,
  world,
}) => {
  const user = await world.user();
  const { secret: token } = await world.pat(user);
  const note = async (id: number) =>
    (await service.post(`/api/admin/splash/screen-${id}`, undefined, { token })).status;
  const screens = Array.from({ length: 199 }, (_, id) => `screen-${id}`);
  for (const some of chunksOf(screens.slice(1), 100)) {
    const item = (splashId: string) => ({ splashId, userId: user.id, seen: true });
    const writes = some.map((id) => ({ put: keys.uiState(user.id, 'SPLASH', id), item: item(id) }));
    await transact(service.table, writes, undefined);
  }
  expect(await note(0)).toBe(200);
  const answering = { feedbackId: 'question' };
  expect((await service.post('/api/admin/feedback', answering, { token })).status).toBe(200);
  expect(await note(200)).toBe(400);
  expect(await note(0)).toBe(200);
  expect((await service.post('/api/admin/feedback', { feedbackId: 'another' }, { token })).status).toBe(400);
});
