import { describe, expect } from 'vitest';
import * as flagKeys from '../../../lib/identity/access-flags/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { createOverride, createOverrideScene } from '../../harness/change-requests.ts';
import type { Service } from '../../harness/service.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

/** Creates an override, and returns calls about it. */
async function createOverrideCalls(service: Service, world: World) {
  const made = await createOverride(world);
  const { projectId, environment, featureName, id, holder, reviewer } = made;
  const project = `/api/admin/projects/${projectId}`;
  const place = `${project}/environments/${environment}/change-requests`;
  const feature = `${project}/features/${featureName}`;
  return {
    ...{ ...made, project, place, feature },
    turn: (state: 'on' | 'off', token = holder) =>
      service.post(`${feature}/environments/${environment}/${state}`, undefined, { token }),
    end: (token = reviewer) => service.call('DELETE', `${place}/override/${id}`, { token }),
    review: (token = reviewer) =>
      service.post(`${project}/change-requests/${id}/review`, { comment: 'Fine' }, { token }),
    get: async () => (await service.get(`${project}/change-requests/${id}`, { token: reviewer })).body,
    isOn: async () => {
      const { body } = await service.get(feature);
      return body.environments.find(({ name }: { name: string }) => name === environment).enabled;
    },
  };
}

const needsApproval = { status: 403, body: { name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] } };

describe('An override', () => {
  test('lets only its holder make direct changes, and lists them', async ({ service, world }) => {
    const { id, projectId, environment, featureName, holder, reviewer, project, turn, get } = await createOverrideCalls(
      service,
      world,
    );
    expect(await turn('on', await world.tokenOfRole(2))).toMatchObject(needsApproval);
    expect(await turn('on', reviewer)).toMatchObject({ status: 403 });
    expect(await turn('on')).toMatchObject({ status: 200 });
    const grant = { permission: 'SKIP_CHANGE_REQUEST', project: projectId, environment };
    const permissionsOf = async (token: string) => (await service.get('/api/admin/user', { token })).body.permissions;
    expect(await permissionsOf(holder)).toContainEqual(grant);
    expect(await permissionsOf(reviewer)).not.toContainEqual(grant);

    expect(await get()).toMatchObject({
      state: 'Applied',
      title: 'Override: Orders fail',
      comments: [{ text: 'Orders fail' }],
      override: { reason: 'Orders fail' },
      features: [
        {
          name: featureName,
          changes: [{ action: 'addStrategy' }, { action: 'updateEnabled', payload: { enabled: true } }],
        },
      ],
    });
    const { body } = await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`);
    expect(body.events).toMatchObject([
      { type: 'feature-environment-enabled', groupType: 'change-request', featureName },
      { type: 'feature-strategy-add', groupType: 'change-request', featureName },
      { type: 'change-request-override-started', data: { reason: 'Orders fail' } },
    ]);
    const open = await service.get('/api/admin/search/change-requests?state=IS:open', { token: reviewer });
    expect(open.body.changeRequests).toContainEqual(expect.objectContaining({ id, state: 'Applied' }));
    const listed = await service.get(`${project}/change-requests`, { token: reviewer });
    expect(listed.body).toContainEqual(expect.objectContaining({ id, override: expect.anything() }));
  });

  test('applies only to its environment', async ({ service, world }) => {
    const { projectId, feature, holder } = await createOverrideCalls(service, world);
    const other = await world.environment();
    await service.post(`/api/admin/projects/${projectId}/environments`, {
      ...{ environment: other, changeRequestsEnabled: true },
    });
    expect(await service.post(`${feature}/environments/${other}/on`, undefined, { token: holder })).toMatchObject(
      needsApproval,
    );
  });

  test('also lists the changes of a holder who needs no approval', async ({ service, world }) => {
    const { place, project, turn } = await createOverrideCalls(service, world);
    const admin = await world.tokenOfRole(1);
    const { body } = await service.post(`${place}/override`, { reason: 'Again', minutes: 1 }, { token: admin });
    await turn('on', admin);
    const { features } = (await service.get(`${project}/change-requests/${body.id}`)).body;
    expect(features).toHaveLength(1);
  });

  test('lists the changes of many features in one call', async ({ service, world }) => {
    const { projectId, environment, holder, get } = await createOverrideCalls(service, world);
    const features = await world.featureNames(40, { project: projectId, environment });
    const path = `/api/admin/projects/${projectId}/bulk_features/environments/${environment}/on`;
    expect(await service.post(path, { features }, { token: holder })).toMatchObject({ status: 200 });
    const { features: listed } = await get();
    expect(listed.map(({ name }: { name: string }) => name).toSorted()).toEqual(features.toSorted());
  });

  test('warns if there are more changes than its request lists', async ({ service, world }) => {
    const { projectId, environment, id, project, holder } = await createOverrideCalls(service, world);
    const path = `${project}/bulk_features/environments/${environment}/on`;
    const read = () => service.get(`${project}/change-requests/${id}`, { token: holder });
    // Each feature is switched on and gets a strategy.
    for (const [count, warning] of [
      [100, undefined],
      [1, expect.stringContaining('Only the first changes')],
    ] as const) {
      const features = await world.featureNames(count, { project: projectId, environment });
      await service.post(path, { features }, { token: holder });
      const { headers, body } = await read();
      expect([headers.warning, body.features.length]).toEqual([warning, 100]);
    }
  });

  test('is available to people only, one per environment', async ({ service, world }) => {
    const { place, holder } = await createOverrideCalls(service, world);
    const asked = { reason: 'Orders fail', minutes: 5 };
    expect(await service.post(`${place}/override`, asked)).toMatchObject({ status: 403 });
    expect(await service.post(`${place}/override`, asked, { token: holder })).toMatchObject({ status: 400 });
    const token = await world.tokenOfRole(1);
    const twice = await Promise.all([1, 2].map(() => service.post(`${place}/override`, asked, { token })));
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  });

  test.for(['ended', 'run out', 'of a person who can no longer approve'])(
    'that is %s at the time of a write allows no change',
    async (how, { service, world }) => {
      const { projectId, environment, id, holder, turn, isOn, end } = await createOverrideCalls(service, world);
      const user = (await service.get('/api/admin/user', { token: holder })).body.user.id;
      const between = {
        ended: () => end(),
        'run out': () =>
          transact(
            anotherProcess(service.table),
            [
              {
                put: flagKeys.override(projectId, environment, user),
                item: { id, until: '2026-01-31T00:00:00.000Z' },
              },
            ],
            undefined,
          ),
        'of a person who can no longer approve': () =>
          service.put(`/api/admin/projects/${projectId}/users/${user}/roles`, { roles: [5] }),
      }[how] as () => Promise<unknown>;
      const late = await betweenReadAndWrite(service.table, between, () => turn('on'));
      expect(late.status, late.text).toBe(403);
      expect(await isOn()).toBe(false);
    },
  );

  test('begins after the delay of its environment, during which others can veto it', async ({ service, world }) => {
    const { projectId, environment, holder, reviewer, featureName } = await createOverrideScene(world);
    const place = `/api/admin/projects/${projectId}/environments/${environment}/change-requests`;
    const configure = (overrideDelayMinutes: number | null) =>
      service.put(`${place}/config`, { changeRequestsEnabled: true, overrideDelayMinutes });
    const start = () => service.post(`${place}/override`, { reason: 'Orders fail', minutes: 5 }, { token: holder });
    await configure(10);
    const { body: made } = await start();
    expect(Date.parse(made.until) - Date.parse(made.from)).toBe(5 * 60_000);
    const on = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/on`;
    expect(await service.post(on, undefined, { token: holder })).toMatchObject(needsApproval);
    expect((await service.get(`${place}/override`)).body).toEqual([made]);

    expect(await service.call('DELETE', `${place}/override/${made.id}`, { token: reviewer })).toMatchObject({
      status: 204,
    });
    expect((await service.get(`${place}/override`)).body).toEqual([]);
    const vetoed = await service.get(`/api/admin/projects/${projectId}/change-requests/${made.id}`);
    expect(vetoed.body).toMatchObject({ state: 'Cancelled', override: { endedBy: {} } });
    await configure(null);
    expect(await start()).toMatchObject({ status: 403 });
    await configure(0);
  });

  test('is reviewed once, by another person, after its end', async ({ service, world }) => {
    const { holder, reviewer, project, turn, end, review, get } = await createOverrideCalls(service, world);
    const actionable = async (token: string) =>
      (await service.get(`${project}/change-requests/actionable`, { token })).body.total;
    const before = await actionable(reviewer);
    expect(await review()).toMatchObject({ status: 400 });
    expect(await end(holder)).toMatchObject({ status: 204 });
    expect(await turn('on')).toMatchObject(needsApproval);
    expect(await actionable(reviewer)).toBe(before + 1);
    expect(await review(holder)).toMatchObject({ status: 403 });
    expect(await review()).toMatchObject({ status: 204 });
    expect(await review()).toMatchObject({ status: 400 });
    expect(await actionable(reviewer)).toBe(before);
    expect(await get()).toMatchObject({ override: { reviewedBy: {} }, comments: [{}, { text: 'Fine' }] });
  });

  test('also lists changes that needed another override of its holder', async ({ service, world }) => {
    const { feature, project, place } = await createOverrideCalls(service, world);
    const environment = await world.environment();
    await service.post(`${project}/environments`, { environment, changeRequestsEnabled: true });
    const token = await world.tokenOfRole(1);
    const both = [place, `${project}/environments/${environment}/change-requests`];
    const made = both.map((each) => service.post(`${each}/override`, { reason: 'Both', minutes: 1 }, { token }));
    const ids = (await Promise.all(made)).map(({ body }) => body.id);
    for (const each of both)
      await service.post(`${feature}/environments/${each.split('/').at(-2)}/on`, undefined, { token });
    await service.call('DELETE', feature, { token });
    for (const id of ids) {
      const { features } = (await service.get(`${project}/change-requests/${id}`, { token })).body;
      expect(features[0].changes).toContainEqual(expect.objectContaining({ action: 'archiveFeature' }));
    }
  });

  test('shows no change in a project that is hidden from its reader', async ({ service, world }) => {
    const { featureName, project, place, turn } = await createOverrideCalls(service, world);
    const hidden = await world.project();
    await service.put(`/api/admin/projects/${hidden}`, { name: hidden, mode: 'private' });
    const admin = await world.tokenOfRole(1);
    const { body } = await service.post(`${place}/override`, { reason: 'Move', minutes: 1 }, { token: admin });
    await turn('on', admin);
    const target = { newProjectId: hidden };
    await service.post(`${project}/features/${featureName}/changeProject`, target, { token: admin });
    const seen = await service.get(`${project}/change-requests/${body.id}`, { token: await world.tokenOfRole(3) });
    expect(seen.body.features).toMatchObject([{ changes: [{ action: 'addStrategy' }, { action: 'updateEnabled' }] }]);
    expect(seen.text).not.toContain(hidden);
  });

  test('keeps its title, which is its reason', async ({ service, world }) => {
    const { project, id, holder, get } = await createOverrideCalls(service, world);
    for (const token of [holder, service.adminToken]) {
      const renamed = await service.put(`${project}/change-requests/${id}/title`, { title: 'Tidying' }, { token });
      expect(renamed).toMatchObject({ status: 400, body: { message: expect.stringContaining('override') } });
    }
    expect(await get()).toMatchObject({ title: 'Override: Orders fail' });
  });

  test('with a long reason has the beginning of it as its title, which is not cut within a character', async ({
    service,
    world,
  }) => {
    const { projectId, holder } = await createOverrideScene(world);
    const path = `/api/admin/projects/${projectId}/environments/development/change-requests/override`;
    const reason = `${'a'.repeat(244)}😀`;
    const { body } = await service.post(path, { reason, minutes: 5 }, { token: holder });
    const made = await service.get(`/api/admin/projects/${projectId}/change-requests/${body.id}`, { token: holder });
    expect(made.body).toMatchObject({ title: `Override: ${'a'.repeat(244)}`, override: { reason } });
  });

  test('can be ended and reviewed also if its request has the most comments', async ({ service, world }) => {
    const { projectId, id, holder, end, review, turn } = await createOverrideCalls(service, world);
    const comments = `/api/admin/projects/${projectId}/change-requests/${id}/comments`;
    const fill = async (text: string) => {
      while ((await service.post(comments, { text }, { token: holder })).status === 204);
    };
    for (const length of [1_000, 100, 10, 1]) await fill('\u0001'.repeat(length));
    expect(await end()).toMatchObject({ status: 204 });
    expect(await turn('on')).toMatchObject(needsApproval);
    expect(await review()).toMatchObject({ status: 204 });
  });
});
