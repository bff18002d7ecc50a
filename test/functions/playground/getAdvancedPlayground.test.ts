import { describe, expect, test } from 'vitest';
import { playgroundContext } from '../../specifications/bodies.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

const context = { ...playgroundContext, userId: '7,8' };

specify('getAdvancedPlayground', {
  route: 'POST /api/admin/playground/advanced',
  may: 'any token',
  request: async (world) => {
    // A project that the process has not read before.
    const project = await world.project();
    await world.feature({ project, strategies: [{ name: 'default' }] });
    return { body: { environments: ['development', 'production'], projects: [project], context } };
  },
  required: ['environments', 'context', 'context.appName'],
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

  test('names what in a context is no text, which it leaves out', async () => {
    const sent = { appName: 'web', userId: 7, plan: 'paid', age: 3, list: ['a'], nothing: null };
    const { body } = await world.ask('POST', path, { environments: ['development'], context: sent });
    expect(body.warnings).toEqual({ invalidContextProperties: ['age', 'list', 'nothing'] });
    expect(body.features[0].environments.development[0].context).toEqual({ appName: 'web', userId: '7', plan: 'paid' });
  });

  test('answers no features where no project is named or known, whatever number of contexts is asked about', async () => {
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`property-${index}`, '1,2']));
    for (const projects of [[], ['missing']]) {
      const { body } = await world.ask('POST', path, {
        ...{ environments: ['development'], projects },
        context: { ...context, properties },
      });
      expect(body.features).toEqual([]);
    }
  });

  test('refuses what is more than a reply holds as soon as that is known', async () => {
    const project = await world.project();
    const values = Array.from({ length: 250 }, (_, index) => `value-${index}`.padEnd(28, '-'));
    const constraint = { contextName: 'userId', operator: 'IN', values };
    await world.feature({ project, strategies: [{ name: 'default', constraints: Array(10).fill(constraint) }] });
    const many = Array.from({ length: 15_000 }, (_, index) => index).join();
    const asked = { environments: ['development'], projects: [project], context: { appName: 'web', userId: many } };
    expect(await service.post(path, asked)).toMatchObject({ status: 413, body: { name: 'ContentTooLarge' } });
  });

  test('refuses more than 15,000 evaluations, and says how many these are', async () => {
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
    ).toMatchObject({
      status: 400,
    });
  });

  test('refuses all values that are too long to be compared with every constraint, each by its place', async () => {
    const long = `short,${'x'.repeat(5_000)}`;
    const sent = { appName: 'web', userId: long, properties: { plan: long, short: 'x,'.repeat(5_000) } };
    const refused = await service.post(path, { environments: ['development'], context: sent });
    const details = [{ path: 'context.userId' }, { path: 'context.properties.plan' }];
    expect(refused).toMatchObject({ status: 400, body: { details } });
  });
});
