import { describe, expect, test } from 'vitest';
import { eventsAddedBy } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('patchFeature', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: [{ op: 'replace', path: '/stale', from: '/stale', value: true }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value'],
  ofArchived: true,
});

describe('Patching a feature', () => {
  const { service, world } = sharedWorld();
  const patch = (name: string, operations: unknown) =>
    service.call('PATCH', `/api/admin/projects/default/features/${name}`, { body: operations });

  test('changes the fields that the operations come to, in their order, as one update', async () => {
    const { name } = await world.feature({ description: 'Before' });
    const events = await eventsAddedBy(service, name, () =>
      patch(name, [
        { op: 'test', path: '/description', value: 'Before' },
        { op: 'replace', path: '/description', value: 'experiment' },
        { op: 'copy', from: '/description', path: '/type' },
        { op: 'remove', path: '/description' },
        { op: 'add', path: '/stale', value: true },
      ]),
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual(['feature-metadata-updated', 'feature-stale-on']);
    const { body } = await patch(name, []);
    expect(body).toMatchObject({ name, description: null, type: 'experiment', stale: true });
  });

  test('that comes to nothing writes nothing', async () => {
    const { name } = await world.feature();
    const noChange = [
      { op: 'replace', path: '/stale', value: true },
      { op: 'replace', path: '/stale', value: false },
      { op: 'replace', path: '/name', value: name },
    ];
    expect(await eventsAddedBy(service, name, () => patch(name, noChange))).toEqual([]);
  });

  test('archives it only for those who may, by a patch or an update', async () => {
    const { name } = await world.feature();
    const role = await world.role({ permissions: [{ name: 'UPDATE_FEATURE' }] });
    const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
    const path = `/api/admin/projects/default/features/${name}`;
    const archive = [{ op: 'replace', path: '/archived', value: true }];
    const answers = [
      await service.call('PATCH', path, { token, body: archive }),
      await service.put(path, { archived: true }, { token }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([403, expect.stringContaining('DELETE_FEATURE')]);
    }
    expect((await service.put(path, { archived: false, stale: true }, { token })).status).toBe(200);
    expect((await patch(name, archive)).status).toBe(200);
    expect((await service.put(path, { archived: true, stale: false }, { token })).status).toBe(200);
  });
});
