import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectDone, expectRefusal, refusedPaths } from '../client.ts';
import { contractPaths, fetchState, importBody, makeFeature, uniqueName } from '../features.ts';

interface ListedEnvironment {
  readonly name: string;
  readonly sortOrder: number;
}

/** Projects, their environments, and the default strategies there. */
export function checkProjects(client: () => Client): void {
  describe('a project id', () => {
    const validate = (id: unknown) => client().post('/api/admin/projects/validate', { id });

    test('is good where it is new and fits into a path', async () => {
      expectDone(await validate(uniqueName('project')));
    });

    test('is refused where it exists, is too long or has other characters', async () => {
      for (const id of ['default', 'a b', 'a/b', '..', '', 'a'.repeat(101), 5]) {
        expectRefusal(await validate(id), 400, 'ValidationError');
      }
    });
  });

  describe('the list of environments', () => {
    test('has those that every service has, by their order, with counts', async () => {
      const { environments, version } = bodyOf<{ version: number; environments: ListedEnvironment[] }>(
        await client().get(contractPaths.environments),
      );
      expect(version).toBe(1);
      expect(environments).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'default', protected: true, enabled: false }),
          expect.objectContaining({ name: 'development', type: 'development', projectCount: expect.any(Number) }),
          expect.objectContaining({ name: 'production', type: 'production', enabledToggleCount: expect.any(Number) }),
        ]),
      );
      const orders = environments.map(({ sortOrder }) => sortOrder);
      expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    });
  });

  describe('adding an environment to a project', () => {
    const add = (environment: string) => client().post('/api/admin/projects/default/environments', { environment });

    test('gives it to every feature, disabled, and is refused with 409 once it is there', async () => {
      const name = await makeFeature(client());
      // A service that has been asked before has it already.
      expect((await add('default')).status).toBeOneOf([200, 409]);
      expectRefusal(await add('default'), 409, 'NameExistsError');
      expect(await fetchState(client(), name, 'default')).toMatchObject({ enabled: false, strategies: [] });
    });

    test('answers 404 where the project is unknown', async () => {
      const path = `/api/admin/projects/${uniqueName('project')}/environments`;
      expectRefusal(await client().post(path, { environment: 'default' }), 404, 'NotFoundError');
    });
  });

  describe('a default strategy', () => {
    const set = (environment: string, strategy: object) =>
      client().post(`/api/admin/projects/default/environments/${environment}/default-strategy`, strategy);
    const strategyOfNew = async (environment: string) => {
      const name = uniqueName();
      const featureEnvironments = [{ featureName: name, name: environment, enabled: true }];
      const file = importBody({ features: [{ name }], featureEnvironments }, environment);
      expectDone(await client().post(contractPaths.import, file));
      return (await fetchState(client(), name, environment)).strategies;
    };

    test('is answered as it was sent, and given to a feature that is switched on without one', async () => {
      const strategy = { name: 'flexibleRollout', title: uniqueName('title'), parameters: { rollout: '25' } };
      expect(bodyOf(await set('production', strategy))).toEqual(strategy);
      expect(await strategyOfNew('production')).toMatchObject([strategy]);
    });

    test('for "*" holds in all environments of the project', async () => {
      const strategy = { name: 'default', title: uniqueName('title') };
      expect(bodyOf(await set('*', strategy))).toEqual(strategy);
      for (const environment of ['development', 'production']) {
        expect(await strategyOfNew(environment)).toMatchObject([strategy]);
      }
    });

    test('is refused where no feature could ever use it', async () => {
      expectRefusal(await set('production', { name: uniqueName('type') }), 400, 'ValidationError');
      const constraints = [{ contextName: 'age', operator: 'NUM_GT', value: 'x' }];
      expect(refusedPaths(await set('*', { name: 'default', constraints }))).toEqual(['constraints.0']);
    });
  });
}
