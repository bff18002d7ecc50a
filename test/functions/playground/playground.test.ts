import { describe, expect, test } from 'vitest';
import { segments } from '../../../lib/segments/segments.ts';
import { createChangeRequest } from '../../harness/change-requests.ts';
import { paths } from '../../harness/features.ts';
import { interrupted } from '../../harness/imports.ts';
import { makePlanned } from '../../harness/release-plans.ts';
import { playgroundContext } from '../../specifications/bodies.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('getPlayground', {
  route: 'POST /api/admin/playground',
  may: 'any token',
  request: async (world) => {
    // A project that the process has not read before.
    const { projectId } = await world.projectWithFeature({ strategies: [{ name: 'default' }] });
    return { body: { environment: 'development', projects: [projectId], context: playgroundContext } };
  },
  required: ['environment', 'context', 'context.appName'],
  waits: 3,
});

const constraints = [{ contextName: 'country', operator: 'IN', values: ['NZ'] }];

describe('A playground', () => {
  const { service, world } = sharedWorld();

  /** Asks the playground about one feature for a context. */
  async function ask(name: string, sent: object, { environment = 'development' } = {}) {
    const body = { environment, projects: ['default'], context: { appName: 'web', ...sent } };
    const { features } = (await world.ask('POST', '/api/admin/playground', body)).body;
    return features.find((feature: { name: string }) => feature.name === name);
  }

  test('returns the query, and each feature of the projects by name, with the reasons', async () => {
    const project = await world.project();
    const { name } = await world.feature({
      project,
      on: true,
      strategies: [{ name: 'flexibleRollout', title: 'New Zealand', parameters: { rollout: '100' }, constraints }],
    });
    await world.feature({ project });
    await world.feature({ project, archived: true });
    const asked = {
      environment: 'development',
      projects: [project],
      context: { appName: 'web', userId: 7, country: 'NZ' },
    };
    const { body } = await world.ask('POST', '/api/admin/playground', asked);
    expect(body.input).toEqual({ ...asked, context: { appName: 'web', userId: '7', country: 'NZ' } });
    expect(body.features).toHaveLength(2);
    const [{ strategies, ...feature }] = body.features;
    expect(feature).toEqual({
      name,
      projectId: project,
      isEnabled: true,
      isEnabledInCurrentEnvironment: true,
      hasUnsatisfiedDependency: false,
      variant: { name: 'disabled', enabled: false, feature_enabled: true },
      variants: [],
    });
    const [{ id, links, ...strategy }] = strategies.data;
    expect(strategies.result).toBe(true);
    expect(links.edit).toBe(
      `/projects/${project}/features/${name}/strategies/edit?environmentId=development&strategyId=${id}`,
    );
    expect(strategy).toEqual({
      name: 'flexibleRollout',
      title: 'New Zealand',
      disabled: false,
      parameters: { rollout: '100', stickiness: 'default', groupId: name },
      result: { evaluationStatus: 'complete', enabled: true },
      constraints: [{ ...constraints[0], inverted: false, result: true }],
      segments: [],
    });
  });

  test('never explains with a segment of a later moment than the features', async () => {
    const { id, name: title } = await world.segment({ constraints });
    const made = await world.feature({ on: true });
    await world.strategy(made, { name: 'default', segments: [id] });
    const { name } = made;
    const change = async () => {
      await world.ask('POST', paths.off(), { features: [name] });
      await world.ask('PUT', `/api/admin/segments/${id}`, { name: title, constraints: [] });
    };
    const found = await interrupted(service.table, segments.keyOf(id), change, () => ask(name, {}));
    expect(found).toMatchObject({ isEnabledInCurrentEnvironment: false, isEnabled: false });
    expect(found.strategies.data.at(-1).segments[0].result).toBe(true);
  });

  test('has a child off if its parent is off', async () => {
    const parent = await world.feature();
    const child = await world.feature({ on: true, parents: [parent.name] });
    expect(await ask(child.name, {})).toMatchObject({
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      strategies: { result: true },
    });
  });

  test('agrees with the frontend API', async () => {
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId' } }];
    const features = await world.features(20, { on: true, strategies });
    const token = await world.frontendToken();
    for (const userId of ['7', '9']) {
      const { body } = await service.get(`/api/frontend?userId=${userId}`, { token });
      const on = body.toggles.map(({ name }: { name: string }) => name);
      for (const { name } of features.slice(0, 3)) {
        expect((await ask(name, { userId })).isEnabled).toBe(on.includes(name));
      }
    }
  });

  test('reads no more projects than there can be', async () => {
    const ask = (count: number) => {
      const projects = Array.from({ length: count }, (_, index) => `project-${index}`);
      return service.post('/api/admin/playground', {
        environment: 'development',
        projects,
        context: { appName: 'web' },
      });
    };
    expect((await ask(500)).status).toBe(200);
    expect((await ask(501)).status).toBe(400);
  });

  test('takes a context of any names, and nothing that every object has', async () => {
    const contextName = 'constructor';
    const { name } = await world.feature({
      on: true,
      strategies: [{ name: 'default', constraints: [{ contextName, operator: 'STR_CONTAINS', values: ['o'] }] }],
    });
    expect(await ask(name, {})).toMatchObject({ isEnabled: false });
    expect(await ask(name, { toString: 'x', other: { deep: 1 } })).toMatchObject({ isEnabled: false });
  });
});

const context = { ...playgroundContext, userId: '7,8' };

specify('getAdvancedPlayground', {
  route: 'POST /api/admin/playground/advanced',
  may: 'any token',
  request: async (world) => {
    const project = await world.project();
    const { name, place, plan } = await makePlanned(world, { project });
    const [, last] = plan.milestones;
    const milestones = [{ featureName: name, environment: place.environment, milestoneId: last?.id }];
    return { body: { environments: ['development', 'production'], projects: [project], context, milestones } };
  },
  required: [
    ...['environments', 'context', 'context.appName'],
    ...['featureName', 'environment', 'milestoneId'].map((field) => `milestones.0.${field}`),
  ],
  waits: 3,
});

describe('An advanced playground', () => {
  const { service, world } = sharedWorld();
  const path = '/api/admin/playground/advanced';

  test('evaluates each feature in each environment for every combination of the values of the context', async () => {
    const project = await world.project();
    const strategies = [{ name: 'userWithId', parameters: { userIds: '7' } }];
    const { name } = await world.feature({ project, on: true, strategies });
    const asked = {
      environments: ['development', 'production'],
      projects: [project],
      context: { appName: 'web', userId: '7,8', properties: { country: 'NZ,CH' } },
    };
    const { body } = await world.ask('POST', path, asked);
    expect(body).not.toHaveProperty('warnings');
    expect(body.input).toEqual(asked);
    const [feature] = body.features;
    expect([body.features.length, feature.name, feature.projectId]).toEqual([1, name, project]);
    const { development, production } = feature.environments;
    const seen = development.map((each: { context: object; isEnabled: boolean }) => [each.context, each.isEnabled]);
    expect(seen.toSorted()).toEqual(
      ['7', '8']
        .flatMap((userId) => ['NZ', 'CH'].map((country) => [{ appName: 'web', userId, country }, userId === '7']))
        .toSorted(),
    );
    expect(
      production.map(({ environment, isEnabled }: { environment: string; isEnabled: boolean }) => [
        environment,
        isEnabled,
      ]),
    ).toEqual(Array.from({ length: 4 }, () => ['production', false]));
  });

  test('names the values of a context that are not texts, and ignores them', async () => {
    const sent = { appName: 'web', userId: 7, plan: 'paid', age: 3, list: ['a'], nothing: null };
    const { body } = await world.ask('POST', path, { environments: ['development'], context: sent });
    expect(body.warnings).toEqual({ invalidContextProperties: ['age', 'list', 'nothing'] });
    expect(body.features[0].environments.development[0].context).toEqual({ appName: 'web', userId: '7', plan: 'paid' });
  });

  test('returns no features without a known project, for any number of contexts', async () => {
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`property-${index}`, '1,2']));
    for (const projects of [[], ['missing']]) {
      const { body } = await world.ask('POST', path, {
        ...{ environments: ['development'], projects },
        context: { ...context, properties },
      });
      expect(body.features).toEqual([]);
    }
  });

  test('refuses more than a reply can contain as soon as possible', async () => {
    const project = await world.project();
    const values = Array.from({ length: 250 }, (_, index) => `value-${index}`.padEnd(28, '-'));
    const constraint = { contextName: 'userId', operator: 'IN', values };
    await world.feature({ project, strategies: [{ name: 'default', constraints: Array(10).fill(constraint) }] });
    const many = Array.from({ length: 15_000 }, (_, index) => index).join();
    const asked = { environments: ['development'], projects: [project], context: { appName: 'web', userId: many } };
    expect(await service.post(path, asked)).toMatchObject({ status: 413, body: { name: 'ContentTooLarge' } });
  });

  test('refuses comparisons that take too much work at once', async () => {
    const project = await world.project();
    const constraints = [480, 481, 482, 483, 484, 485].map((length) => ({
      ...{ contextName: 'userId', operator: 'REGEX', value: `[ab]*a[ab]{${length}}[cd]` },
    }));
    await world.feature({ project, on: true, strategies: [{ name: 'default', constraints }] });
    const long = 'ab'.repeat(2_040);
    const ask = (userId: string) =>
      service.post(path, { environments: ['development'], projects: [project], context: { appName: 'web', userId } });
    expect(await ask('a,b,ab')).toMatchObject({ status: 200 });
    const refused = await ask([1, 2, 3, 4, 5].map((index) => `${index}${long}`).join());
    expect(refused).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect(refused.body.message).toContain('fewer environments, projects or contexts');
  });

  test('makes no more contexts of thousands of names than fit into an answer', async () => {
    const project = await world.project();
    await world.feature({ project });
    const several = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`several-${index}`, '1,2']));
    const single = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`n${index}`, '']));
    const asked = { appName: 'web', properties: { ...several, ...single } };
    const refused = await service.post(path, { environments: ['development'], projects: [project], context: asked });
    expect(refused).toMatchObject({ status: 413, body: { name: 'ContentTooLarge' } });
  });

  test('refuses more than 15,000 evaluations, and names their number', async () => {
    const project = await world.project();
    await world.features(2, { project });
    const many = Array.from({ length: 4_000 }, (_, index) => index).join();
    const ask = (environments: string[], userId: string) =>
      service.post(path, { environments, projects: [project], context: { appName: 'web', userId } });
    const refused = await ask(['development', 'production'], many);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('16000');
    const tooMuch = {
      appName: '1,2',
      ...Object.fromEntries(Array.from('abcdefgh', (key) => [key, many.slice(0, 5_000)])),
    };
    expect(
      await service.post(path, { environments: ['development'], projects: [project], context: tooMuch }),
    ).toMatchObject({ status: 400 });
  });

  test('refuses all values that are too long to be compared with every constraint, each by its place', async () => {
    const long = `short,${'x'.repeat(5_000)}`;
    const sent = { appName: 'web', userId: long, properties: { plan: long, short: 'x,'.repeat(5_000) } };
    const refused = await service.post(path, { environments: ['development'], context: sent });
    const details = [{ path: 'context.userId' }, { path: 'context.properties.plan' }];
    expect(refused).toMatchObject({ status: 400, body: { details } });
  });
});

specify('getChangeRequestPlayground', {
  route: 'POST /api/admin/playground/change-request/{id}',
  may: 'any token',
  request: async (world) => {
    const { id, author: authorization } = await createChangeRequest(world);
    return { params: { id }, headers: { authorization }, body: { context: playgroundContext } };
  },
  required: ['context', 'context.appName'],
  waits: 6,
});
