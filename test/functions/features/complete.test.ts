import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('complete', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/complete',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: { status: 'kept', statusValue: 'blue' },
  }),
  required: ['status'],
});

describe('Completing a feature', () => {
  const { service, world } = sharedWorld();
  const complete = (name: string, body: object) => service.post(`${paths.feature(name)}/lifecycle/complete`, body);
  const stages = async (name: string) => (await service.get(`${paths.feature(name)}/lifecycle`)).body;

  test('is its stage from then on, with how it was completed', async () => {
    const { name } = await world.feature();
    const events = await eventsAddedBy(service, name, async () => {
      expect(await complete(name, { status: 'kept', statusValue: 'blue' })).toMatchObject({ status: 200, text: '' });
      await complete(name, { status: 'kept', statusValue: 'blue' });
    });
    expect(events).toMatchObject([
      { type: 'feature-completed', data: { status: 'kept', statusValue: 'blue', kept: true }, preData: null },
    ]);
    const { lifecycle } = await readFeature(service, name);
    expect(lifecycle).toEqual({ stage: 'completed', status: 'kept', enteredStageAt: expect.any(String) });
    expect((await stages(name)).map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'completed']);
  });

  test('can be said otherwise, and keeps its time', async () => {
    const { name } = await world.feature();
    await complete(name, { status: 'kept' });
    const before = (await readFeature(service, name)).lifecycle;
    const events = await eventsAddedBy(service, name, () => complete(name, { status: 'discarded' }));
    expect(events).toMatchObject([{ data: { status: 'discarded', kept: false } }]);
    expect((await readFeature(service, name)).lifecycle).toEqual({ ...before, status: 'discarded' });
  });
});
