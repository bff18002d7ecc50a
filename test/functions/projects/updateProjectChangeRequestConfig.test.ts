import { describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('updateProjectChangeRequestConfig', {
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project(), environment: 'development' },
    body: {
      ...{ changeRequestsEnabled: true, requiredApprovals: 2, onDrift: 'overwrite', selfApproval: 'admin' },
      overrideDelayMinutes: 10,
    },
  }),
  required: ['changeRequestsEnabled'],
  nullable: ['requiredApprovals', 'overrideDelayMinutes'],
  waits: 3,
});

describe('Change requests', () => {
  const service = serviceForEach();
  const pathIn = (environment: string) =>
    `/api/admin/projects/default/environments/${environment}/change-requests/config`;
  const set = (config: object) => service.put(pathIn('production'), { changeRequestsEnabled: true, ...config });
  const listed = async () => (await service.get('/api/admin/projects/default/change-requests/config')).body;
  const off = { changeRequestEnabled: false, requiredApprovals: null };
  const usual = { requiredApprovals: 1, onDrift: 'refuse', selfApproval: 'never', overrideDelayMinutes: 0 };

  test('are on with one approval, unless it says how many from 1 to 10, and keep what is left out', async () => {
    const inProduction = { environment: 'production', type: 'production', changeRequestEnabled: true };
    const inDevelopment = { environment: 'development', type: 'development', ...off };
    for (const [config, needed] of [
      [{}, usual],
      [
        { requiredApprovals: 11, onDrift: 'overwrite' },
        { ...usual, requiredApprovals: 10, onDrift: 'overwrite' },
      ],
      [{ requiredApprovals: null }, { ...usual, requiredApprovals: 10, onDrift: 'overwrite' }],
      [
        { requiredApprovals: 0, selfApproval: 'admin', overrideDelayMinutes: null },
        { requiredApprovals: 1, onDrift: 'overwrite', selfApproval: 'admin', overrideDelayMinutes: null },
      ],
      [{}, { requiredApprovals: 1, onDrift: 'overwrite', selfApproval: 'admin', overrideDelayMinutes: null }],
    ] as const) {
      expect(await set(config)).toMatchObject({ status: 204, text: '' });
      expect(await listed()).toEqual([inDevelopment, { ...inProduction, ...needed }]);
    }
    expect((await service.get('/api/admin/projects/default/overview')).body.environments).toMatchObject([
      { environment: 'development', changeRequestsEnabled: false },
      { environment: 'production', changeRequestsEnabled: true },
    ]);
  });

  test('make an event with what was and what is, and none where nothing changes', async () => {
    await set({});
    await set({});
    await set({ requiredApprovals: 3 });
    await set({ changeRequestsEnabled: false, requiredApprovals: 0 });
    const of = { type: 'change-request-configuration-updated', project: 'default', environment: 'production' };
    const [one, three] = [1, 3].map((requiredApprovals) => ({
      changeRequestsEnabled: true,
      ...usual,
      requiredApprovals,
    }));
    const none = { changeRequestsEnabled: false };
    expect((await serviceEvents(service.table)).slice(-3)).toMatchObject([
      { ...of, data: one, preData: none },
      { ...of, data: three, preData: one },
      { ...of, data: none, preData: three },
    ]);
  });

  test.each([0, null, 3])('stay off when they are turned off, with %s approvals', async (requiredApprovals) => {
    const before = await serviceEvents(service.table);
    expect((await set({ changeRequestsEnabled: false, requiredApprovals })).status).toBe(204);
    expect(await listed()).toMatchObject([off, off]);
    expect(await serviceEvents(service.table)).toEqual(before);
  });

  test('of an environment that the project does not have are a 404', async () => {
    for (const changeRequestsEnabled of [true, false])
      expect((await service.put(pathIn('default'), { changeRequestsEnabled })).status).toBe(404);
  });

  test('are configured, read and taken away as the Terraform provider does, a second time without a difference', async () => {
    const apply = () => set({ requiredApprovals: 2 });
    const read = async () =>
      (await listed()).find(({ environment }: { environment: string }) => environment === 'production');
    const state = { environment: 'production', type: 'production', changeRequestEnabled: true, requiredApprovals: 2 };
    for (let time = 0; time < 2; time += 1) {
      expect(await apply()).toMatchObject({ status: 204, text: '' });
      expect(await read()).toMatchObject(state);
    }
    expect(await set({ changeRequestsEnabled: false, requiredApprovals: 0 })).toMatchObject({ status: 204, text: '' });
    expect(await read()).toMatchObject(off);
  });
});
