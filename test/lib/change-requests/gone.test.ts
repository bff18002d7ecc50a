import { describe, expect } from 'vitest';
import { cancelExpired } from '../../../lib/change-requests/schedules/expiry.ts';
import { isAnythingWaiting, runClock } from '../../../lib/clock/clock.ts';
import {
  buildSwitchOn,
  changeRequestCalls,
  createChangeRequest,
  createOverride,
  createScene,
  inAMonth,
  type ProtectedProject,
} from '../../harness/change-requests.ts';
import { contentOf } from '../../harness/items.ts';
import type { Service } from '../../harness/service.ts';
import { beforeRequests, betweenReadAndWrite } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

type RequestOptions = Parameters<typeof createChangeRequest> extends [World, ...infer Options] ? Options : never;

/** Creates a change request in a state, and returns calls that remove its environment and its project. */
async function createRemovable(service: Service, world: World, ...[state, buildChanges]: RequestOptions) {
  const { environment, project, featureName, ...request } = await createChangeRequest(world, state, buildChanges);
  return {
    ...{ ...request, project },
    bring: (state: string) => request.bring(request.reviewer, { state, scheduledAt: inAMonth() }),
    takeAway: () => world.ask('DELETE', `${project}/environments/${environment}`),
    giveBack: () => world.ask('POST', `${project}/environments`, { environment }),
    deleteEnvironment: () => world.ask('DELETE', `/api/admin/environments/${environment}`),
    deleteProject: async () => {
      await world.ask('DELETE', `${project}/features/${featureName}`);
      return service.call('DELETE', project);
    },
  };
}

const matchSuspended = (reason: string) => ({
  schedule: { status: 'suspended', reason: expect.stringContaining(reason) },
});

describe('If the environment of a change request is taken from its project', () => {
  test('a schedule is suspended at once, and can be set again after the environment is back', async ({
    service,
    world,
  }) => {
    const { takeAway, giveBack, bring, read } = await createRemovable(service, world, 'Scheduled');
    await takeAway();
    expect(await read()).toMatchObject(matchSuspended('was taken from the project'));
    expect(await bring('Scheduled')).toMatchObject({ status: 409 });
    await giveBack();
    expect(await bring('Scheduled')).toMatchObject({ status: 200 });
  });

  test.for(['before a schedule is set, it is not', 'after a schedule is set, it is suspended'])(
    'at the last moment %s',
    async (when, { service, world }) => {
      const { takeAway, bring, read } = await createRemovable(service, world, 'Approved');
      const schedule = () => bring('Scheduled');
      const isBefore = when.startsWith('before');
      const [between, action] = isBefore ? [takeAway, schedule] : [schedule, takeAway];
      await betweenReadAndWrite(service.table, between, action);
      if (isBefore) expect(await read()).toMatchObject({ state: 'Approved' });
      else expect(await read()).toMatchObject(matchSuspended('was taken from the project'));
    },
  );

  test.for(['updateEnabled', 'archiveFeature'])(
    'it stays, is not applied, and can be applied after the environment is back: %s',
    async (action, { service, world }) => {
      const buildChanges = async ({ projectId: project, environment }: ProtectedProject) =>
        (await world.featureNames(1, { project, environment })).map((name) => ({ ...buildSwitchOn(name), action }));
      const { takeAway, giveBack, bring, read } = await createRemovable(service, world, 'In review', buildChanges);
      await takeAway();
      expect(await bring('Approved')).toMatchObject({ status: 200 });
      expect(await bring('Scheduled')).toMatchObject({ status: 409 });
      expect(await bring('Applied')).toMatchObject({ status: 409 });
      await giveBack();
      expect(await bring('Applied')).toMatchObject({ status: 200 });
      expect(await read()).toMatchObject({ state: 'Applied' });
    },
  );
});

test.for(['Draft', 'In review', 'Approved', 'Scheduled'] as const)(
  'A change request that is %s does not outlive its environment: it is cancelled, or suspended',
  async (state, { service, world }) => {
    const { id, deleteEnvironment, read } = await createRemovable(service, world, state);
    expect((await deleteEnvironment()).status).toBe(200);
    const isScheduled = state === 'Scheduled';
    expect(await read()).toMatchObject(isScheduled ? matchSuspended('was deleted') : { state: 'Cancelled' });
    const { body } = await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`);
    expect(body.events[0]).toMatchObject({ data: { reason: expect.stringContaining('was deleted') } });
  },
);

test('A change request is not created in an environment that is deleted at the last moment', async ({
  service,
  world,
}) => {
  const { environment, featureName, author, ...place } = await createScene(world);
  const { ask } = changeRequestCalls(world, { ...place, environment });
  const deleteEnvironment = () => world.ask('DELETE', `/api/admin/environments/${environment}`);
  const buildChanges = await betweenReadAndWrite(service.table, deleteEnvironment, () =>
    ask(author, buildSwitchOn(featureName)),
  );
  expect(buildChanges).toMatchObject({ status: 404 });
});

test('A change request is deleted with its project, and leaves the clock nothing to do', async ({ service, world }) => {
  const { project, deleteProject, read } = await createRemovable(service, world, 'Scheduled');
  expect(await deleteProject()).toMatchObject({ status: 200 });
  await world.ask('POST', '/api/admin/projects', { id: project.split('/').at(-1), name: 'Again' });
  expect((await service.get(`${project}/change-requests`)).body).toEqual([]);
  expect(await read()).toMatchObject({ name: 'NotFoundError' });
  await runClock(service.table, new Date());
  expect(await isAnythingWaiting(service.table)).toBe(false);
});

test('A change request that is closed while its project is deleted leaves nothing behind', async ({
  service,
  world,
}) => {
  await service.put('/api/admin/change-requests/settings', { adminsSkip: true, expiryDays: 1 });
  const { project, deleteProject } = await createRemovable(service, world, 'In review');
  const [isDecided, isListed] = [Promise.withResolvers(), Promise.withResolvers()];
  const between = () => {
    isDecided.resolve(undefined);
    return isListed.promise;
  };
  const closing = betweenReadAndWrite(service.table, between, () => cancelExpired(service.table, new Date(inAMonth())));
  await isDecided.promise;
  using _ = beforeRequests(service.table, async (input, command) => {
    if (command !== 'TransactWriteItems' || !JSON.stringify(input).includes('CHANGE_REQUEST#')) return;
    isListed.resolve(undefined);
    await closing;
  });
  expect(await deleteProject()).toMatchObject({ status: 200 });
  await world.ask('POST', '/api/admin/projects', { id: project.split('/').at(-1), name: 'Again' });
  expect((await service.get(`${project}/change-requests`)).body).toEqual([]);
});

test('An override and the records of its changes are deleted with the project', async ({ service, world }) => {
  const { projectId, environment, featureName, holder } = await createOverride(world);
  const feature = `/api/admin/projects/${projectId}/features/${featureName}`;
  await service.post(`${feature}/environments/${environment}/on`, undefined, { token: holder });
  const records = async () =>
    (await contentOf(service.table)).map(({ sk }) => String(sk)).filter((sk) => /^#OVERRIDE#|^CHANGED#/.test(sk));
  expect(await records()).toHaveLength(2);
  await world.ask('DELETE', feature);
  expect((await service.call('DELETE', `/api/admin/projects/${projectId}`)).status).toBe(200);
  expect(await records()).toEqual([]);
});
