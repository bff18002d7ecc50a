import { describe, expect, vi } from 'vitest';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import { ApiError } from '../../../lib/errors.ts';
import { reloadAccessFlags } from '../../../lib/identity/access-flags/access-flags.ts';
import { segments } from '../../../lib/segments/segments.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { buildSwitchOn, createChangeRequest, createReviewTeam, inAnHour } from '../../harness/change-requests.ts';
import { contentOf } from '../../harness/items.ts';
import type { Service } from '../../harness/service.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { test } from '../../specifications/specify.ts';

/** Creates the people of a project, a feature with a strategy, and a segment. */
async function createTeam(world: World) {
  const people = await createReviewTeam(world);
  const { projectId, environment, name: feature, place, approved, schedule, get } = people;
  const [parent = ''] = await world.featureNames(1, { project: projectId, environment });
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  const segment = (await world.ask('POST', '/api/admin/segments', { name: `${feature}-users`, constraints })).body;
  const strategy = (await world.ask('POST', `${place}/strategies`, { name: 'default', title: 'one' })).body;
  const scheduled = async (changes: unknown) => {
    const id = await approved(changes);
    expect((await schedule(id)).status).toBe(200);
    return id;
  };
  const scheduleOf = async (id: number) => (await get(id, people.author)).schedule;
  return { ...people, feature, parent, strategy, segment, constraints, scheduled, scheduleOf };
}
type Team = Awaited<ReturnType<typeof createTeam>>;

function importOf(
  project: string,
  environment: string,
  name: string,
  featureStrategies: object[],
): [string, string, unknown] {
  const none = { contextFields: [], featureTags: [], segments: [], tagTypes: [], dependencies: [], links: [] };
  const data = { features: [{ name, type: 'release' }], featureStrategies, featureEnvironments: [], ...none };
  return ['POST', '/api/admin/features-batch/import', { project, environment, data }];
}

/** Scheduled changes, and direct changes that invalidate them. */
const cases: Record<string, { requested: (team: Team) => object; direct: (team: Team) => [string, string, unknown?] }> =
  {
    'a bulk call that switches on': {
      requested: ({ feature }) => buildSwitchOn(feature),
      direct: ({ project, environment, feature }) => [
        'POST',
        `${project}/bulk_features/environments/${environment}/on`,
        { features: [feature] },
      ],
    },
    'a strategy for a feature that it would give the default one': {
      requested: ({ parent }) => buildSwitchOn(parent),
      direct: ({ project, environment, parent }) => [
        'POST',
        `${project}/features/${parent}/environments/${environment}/strategies`,
        { name: 'default' },
      ],
    },
    'the removal of the last strategy of a feature that it switches on': {
      requested: ({ feature }) => buildSwitchOn(feature),
      direct: ({ place, strategy }) => ['DELETE', `${place}/strategies/${strategy.id}`],
    },
    'a further strategy that it would enable': {
      requested: ({ feature }) => ({
        ...{ feature, action: 'updateEnabled' },
        payload: { enabled: true, shouldActivateDisabledStrategies: true },
      }),
      direct: ({ place }) => ['POST', `${place}/strategies`, { name: 'default', disabled: true }],
    },
    'a bulk archive': {
      requested: ({ feature }) => ({ feature, action: 'addStrategy', payload: { name: 'default' } }),
      direct: ({ project, feature }) => ['POST', `${project}/archive`, { features: [feature] }],
    },
    'the archiving of a parent that it adds': {
      requested: ({ feature, parent }) => ({ feature, action: 'addDependency', payload: { feature: parent } }),
      direct: ({ project, parent }) => ['POST', `${project}/archive`, { features: [parent] }],
    },
    'a move': {
      requested: ({ feature }) => ({ feature, action: 'patchVariant', payload: { variants: [] } }),
      direct: ({ project, feature }) => ['POST', `${project}/features/${feature}/changeProject`],
    },
    'another order': {
      requested: ({ feature, strategy }) => ({
        ...{ feature, action: 'reorderStrategy' },
        payload: [{ id: strategy.id, sortOrder: 3 }],
      }),
      direct: ({ place }) => ['POST', `${place}/strategies`, { name: 'default' }],
    },
    'a direct reordering': {
      requested: ({ feature, strategy }) => ({
        ...{ feature, action: 'reorderStrategy' },
        payload: [{ id: strategy.id, sortOrder: 3 }],
      }),
      direct: ({ place, strategy }) => [
        'POST',
        `${place}/strategies/set-sort-order`,
        [{ id: strategy.id, sortOrder: 5 }],
      ],
    },
    'a direct dependency of its feature': {
      requested: ({ feature, parent }) => ({ feature, action: 'addDependency', payload: { feature: parent } }),
      direct: ({ project, feature, parent }) => [
        'POST',
        `${project}/features/${feature}/dependencies`,
        { feature: parent, enabled: false },
      ],
    },
    'other variants in several environments': {
      requested: ({ feature }) => ({ feature, action: 'patchVariant', payload: { variants: [] } }),
      direct: ({ project, feature, environment }) => [
        'PUT',
        `${project}/features/${feature}/variants-batch`,
        {
          environments: [environment],
          variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
        },
      ],
    },
    'an import': {
      requested: ({ feature, strategy }) => ({ feature, action: 'deleteStrategy', payload: { id: strategy.id } }),
      direct: ({ projectId, environment, feature }) => {
        return importOf(projectId, environment, feature, [{ name: 'flexibleRollout', featureName: feature }]);
      },
    },
    'an import that leaves no strategy to a feature that it switches on': {
      requested: ({ feature }) => ({ feature, action: 'updateEnabled', payload: { enabled: true } }),
      direct: ({ projectId, environment, feature }) => importOf(projectId, environment, feature, []),
    },
    'an update of a segment that it updates': {
      requested: ({ segment: { id, name } }) => ({ action: 'updateSegment', payload: { id, name, constraints: [] } }),
      direct: ({ segment: { id, name }, constraints }) => [
        'PUT',
        `/api/admin/segments/${id}`,
        { name, constraints: [...constraints, { contextName: 'appName', operator: 'IN', values: ['2'] }] },
      ],
    },
    'an update of a segment that it uses': {
      requested: ({ feature, segment: { id } }) => ({
        ...{ feature, action: 'addStrategy' },
        payload: { name: 'default', segments: [id] },
      }),
      direct: ({ segment: { id, name } }) => ['PUT', `/api/admin/segments/${id}`, { name, constraints: [] }],
    },
    'a removal of a segment that it uses': {
      requested: ({ feature, segment: { id } }) => ({
        ...{ feature, action: 'addStrategy' },
        payload: { name: 'default', segments: [id] },
      }),
      direct: ({ segment: { id } }) => ['DELETE', `/api/admin/segments/${id}`],
    },
  };

describe('A schedule', () => {
  test.for(Object.entries(cases))(
    'is suspended by %s, and by nothing that comes before',
    async ([, one], { service, world }) => {
      const team = await createTeam(world);
      const id = await team.scheduled(one.requested(team));
      const { title, ...bare } = team.strategy;
      await service.put(`${team.place}/strategies/${team.strategy.id}`, { ...bare, title, sortOrder: 7 });
      await world.ask('PUT', `/api/admin/segments/${team.segment.id}`, {
        ...{ name: team.segment.name, description: 'other', constraints: team.constraints },
      });
      const { action } = one.requested(team) as { readonly action: string };
      const isOther = action === 'reorderStrategy';
      expect(await team.scheduleOf(id)).toMatchObject({ status: isOther ? 'suspended' : 'pending' });
      if (isOther) await team.schedule(id);
      const [method, path, body = { newProjectId: await world.project({ environments: ['development'] }) }] =
        one.direct(team);
      const answer = await world.ask(method, path, body);
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(await team.scheduleOf(id)).toMatchObject({ status: 'suspended', reason: expect.any(String) });
    },
  );

  test.for(['one dependency', 'all dependencies'])(
    'is suspended by the removal of %s of a feature of which it removes them',
    async (which, { world }) => {
      const team = await createTeam(world);
      const dependencies = `${team.project}/features/${team.feature}/dependencies`;
      await world.ask('POST', dependencies, { feature: team.parent });
      const id = await team.scheduled({ feature: team.feature, action: 'deleteDependency' });
      const removed = await world.ask(
        'DELETE',
        which === 'one dependency' ? `${dependencies}/${team.parent}` : dependencies,
      );
      expect(removed.status, removed.text).toBe(200);
      expect(await team.scheduleOf(id)).toMatchObject({
        status: 'suspended',
        reason: 'The dependencies were changed.',
      });
    },
  );

  test('is not suspended by changes of the order and of dependencies on which its changes do not depend', async ({
    world,
  }) => {
    const team = await createTeam(world);
    const payload = { id: team.strategy.id, name: 'default', title: 'later' };
    const id = await team.scheduled({ feature: team.feature, action: 'updateStrategy', payload });
    const order = [{ id: team.strategy.id, sortOrder: 5 }];
    expect((await world.ask('POST', `${team.place}/strategies/set-sort-order`, order)).status).toBe(200);
    const dependencies = `${team.project}/features/${team.feature}/dependencies`;
    expect((await world.ask('POST', dependencies, { feature: team.parent })).status).toBe(200);
    expect((await world.ask('DELETE', dependencies)).status).toBe(200);
    expect(await team.scheduleOf(id)).toMatchObject({ status: 'pending' });
  });

  test('is suspended by the application of another request', async ({ world }) => {
    const team = await createTeam(world);
    const update = (title: string) => ({
      ...{ feature: team.feature, action: 'updateStrategy' },
      payload: { id: team.strategy.id, name: 'default', title },
    });
    const id = await team.scheduled(update('later'));
    const other = await team.approved(update('now'));
    expect(await team.apply(other)).toMatchObject({ status: 200 });
    expect(await team.scheduleOf(id)).toMatchObject({ status: 'suspended', reason: 'The strategy was updated.' });
  });

  test('is suspended once by a bulk call of several transactions, before any of them', async ({ service, world }) => {
    const team = await createTeam(world);
    const features = await world.featureNames(60, { project: team.projectId, environment: team.environment });
    const id = await team.scheduled(features.map(buildSwitchOn));
    let status = '';
    await betweenReadAndWrite(
      service.table,
      async () => {
        ({ status } = await team.scheduleOf(id));
      },
      () => world.ask('POST', `${team.project}/bulk_features/environments/${team.environment}/on`, { features }),
      'TransactWriteItems',
      2,
    );
    expect(status).toBe('suspended');
    const types = await team.eventsOf(id);
    expect(types.filter((type) => type === 'change-request-schedule-suspended')).toHaveLength(1);
  });

  test.for([
    'is suspended if it is set while a direct change is under way',
    'is not set if a direct change comes at the last moment before',
  ])('%s', async (when, { service, world }) => {
    const team = await createTeam(world);
    const id = await team.approved(team.on);
    const direct = () => world.ask('POST', `${team.place}/on`);
    const isUnderWay = when.includes('under way');
    const [between, action] = isUnderWay ? [() => team.schedule(id), direct] : [direct, () => team.schedule(id)];
    await betweenReadAndWrite(service.table, between, action);
    expect((await team.scheduleOf(id))?.status).toBe(isUnderWay ? 'suspended' : undefined);
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('is not rescheduled over a direct change that comes at the last moment', async ({ service, world }) => {
    const team = await createTeam(world);
    const { id: segmentId, name } = team.segment;
    const changes = [team.on, { action: 'updateSegment', payload: { id: segmentId, name, constraints: [] } }];
    const direct: [string, string, unknown?][] = [
      ['POST', `${team.place}/off`],
      ['PUT', `/api/admin/segments/${segmentId}`, { name, project: team.projectId, constraints: team.constraints }],
    ];
    const id = await team.scheduled(changes);
    await world.ask('POST', `${team.place}/on`);
    for (const each of direct) {
      expect(await team.scheduleOf(id)).toMatchObject({ status: 'suspended' });
      const between = () => world.ask(...each);
      const again = await betweenReadAndWrite(service.table, between, () => team.schedule(id));
      expect(again).toMatchObject({ status: 409, body: { details: [{ difference: {} }] } });
    }
    expect((await team.schedule(id)).status).toBe(200);
  });

  /** Creates scheduled requests with successive times: a change of a feature, its archiving, and a change of another feature. */
  const three = async (service: Service, world: World) => {
    const first = await createChangeRequest(world, 'Approved');
    const archive = async () => [{ feature: first.featureName, action: 'archiveFeature' }];
    const all = [
      first,
      await createChangeRequest(world, 'Approved', archive),
      await createChangeRequest(world, 'Approved'),
    ];
    const at = Date.now() + 3_600_000;
    for (const [index, one] of all.entries()) {
      expect((await one.schedule(new Date(at + index).toISOString())).status).toBe(200);
    }
    return {
      states: () => Promise.all(all.map(async (one) => (await one.read()).state)),
      applyUntil: (index: number) => applyDue(service.table, new Date(at + index)),
    };
  };

  test('is applied at its time, and after earlier schedules of the same feature', async ({ service, world }) => {
    const { states, applyUntil } = await three(service, world);
    await betweenReadAndWrite(
      service.table,
      // Whichever request waits, one of the others does not.
      () => vi.waitFor(async () => expect(await states()).toContain('Applied'), { timeout: 20_000 }),
      () => applyUntil(2),
    );
    expect(await states()).toEqual(['Applied', 'Applied', 'Applied']);
  });

  test('waits for an earlier schedule of the same feature that failed because of the store', async ({
    service,
    world,
  }) => {
    const { states, applyUntil } = await three(service, world);
    const busy = () => Promise.reject(new ApiError('ServiceUnavailable', 'The store is busy.'));
    await expect(betweenReadAndWrite(service.table, busy, () => applyUntil(1))).rejects.toThrow('busy');
    expect(await states()).toEqual(['Scheduled', 'Scheduled', 'Scheduled']);
    await applyUntil(1);
    expect(await states()).toEqual(['Applied', 'Applied', 'Scheduled']);
  });

  test('of other features costs a direct change nothing', async ({ service, world }) => {
    const team = await createTeam(world);
    await team.scheduled(team.on);
    const [segment, bulk] = [
      await world.segment(),
      `${team.project}/bulk_features/environments/${team.environment}/on`,
    ];
    const requested = await recordStoreRequests(service.table, async () => {
      await world.ask('POST', bulk, { features: [team.parent] });
      await world.ask('POST', `${team.project}/features/${team.parent}/environments/${team.environment}/off`);
      await world.ask('DELETE', `/api/admin/segments/${segment.id}`);
    });
    expect(requested.flatMap(({ targets }) => targets).filter((target) => target.includes('CHANGE_REQUEST'))).toEqual(
      [],
    );
  });

  test('is suspended by people from whom it is hidden, and shows them nothing', async ({ service, world }) => {
    const team = await createTeam(world);
    const { feature, segment, project, projectId } = team;
    const id = await team.scheduled({
      feature,
      action: 'addStrategy',
      payload: { name: 'default', segments: [segment.id] },
    });
    await world.ask('PUT', `${project}`, { name: projectId, mode: 'private' });
    await reloadAccessFlags(service.table);
    const permissions = [{ name: 'UPDATE_SEGMENT' }];
    const token = await world.tokenOfRole(await world.role({ type: 'root-custom', permissions }));
    const content = { name: segment.name, constraints: [] };
    const answer = await service.put(`/api/admin/segments/${segment.id}`, content, { token });
    expect(answer, answer.text).toMatchObject({ status: 204, text: '' });
    expect(await team.scheduleOf(id)).toMatchObject({ status: 'suspended' });
    const { text } = await service.get('/api/admin/search/events?limit=100', { token });
    expect(text).toContain('segment-updated');
    expect(text).not.toContain('change-request');
  });

  test('leaves no reference on a feature that was moved to another project', async ({ service, world }) => {
    const team = await createTeam(world);
    const { feature, project, environment } = team;
    const moved = await team.scheduled(buildSwitchOn(feature));
    const newProjectId = await world.project({ environments: [environment] });
    await world.ask('POST', `${project}/features/${feature}/changeProject`, { newProjectId });
    await team.bring(team.reviewer, moved, 'Rejected');
    expect((await contentOf(service.table)).filter(({ pk }) => pk === 'SCHEDULES')).toEqual([]);
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('leaves no reference after its end, and changes no more things than a transaction allows', async ({
    service,
    world,
  }) => {
    const team = await createTeam(world);
    const { reviewer, feature, parent, segment } = team;
    const changes = [
      { feature, action: 'addStrategy', payload: { name: 'default', segments: [segment.id] } },
      { feature, action: 'addDependency', payload: { feature: parent } },
      { feature: parent, action: 'updateEnabled', payload: { enabled: false } },
    ];
    // The due entry of a request that was deleted with its project.
    const { value, ...versions } = await segments.load(service.table, segment.id);
    await transact(
      service.table,
      [segments.buildRenewalWrite({ value: { ...value, schedules: '[777]' }, ...versions })],
      undefined,
    );
    const [rejected, applied, due] = [
      await team.scheduled(changes),
      await team.scheduled(changes),
      await team.scheduled(changes[2]),
    ];
    const marks = async () =>
      (await contentOf(service.table)).filter(({ schedules }) => schedules !== undefined).map(({ sk }) => sk);
    expect((await marks()).toSorted()).toEqual(['FEATURE', 'FEATURE', expect.stringContaining('ID#')]);
    const paths = [
      `segments/${segment.id}`,
      'segments',
      `projects/${team.projectId}/features/${feature}`,
      'search/features',
    ];
    const requested = [changes[0], { action: 'updateSegment', payload: { ...segment, constraints: [] } }];
    paths.push(`projects/${team.projectId}/change-requests/${await team.approved(requested)}`);
    const shown = await Promise.all(paths.map(async (path) => (await service.get(`/api/admin/${path}`)).text));
    const exported = { environment: team.environment, features: [feature], downloadFile: false };
    shown.push((await world.ask('POST', '/api/admin/features-batch/export', exported)).text);
    expect(shown.join()).not.toContain('"schedules"');
    await team.bring(reviewer, rejected, 'Rejected');
    await team.bring(reviewer, applied, 'Applied');
    await applyDue(service.table, inAnHour());
    expect(await team.scheduleOf(due)).toBeUndefined();
    expect(await marks()).toEqual([]);
    const features = await world.featureNames(81, { project: team.projectId, environment: team.environment });
    const many = features.map((name) => ({ ...changes[2], feature: name }));
    expect(await team.schedule(await team.approved(many))).toMatchObject({ status: 400 });
  });
});
