import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectRefusal, refusedPaths } from '../client.ts';
import {
  contractPaths,
  fetchEventsAddedBy,
  fetchState,
  makeFeature,
  type StrategyReply,
  uniqueName,
} from '../features.ts';

const variant = (name: string, weight: number, weightType: string) => ({
  name,
  weight,
  weightType,
  stickiness: 'default',
});

/** Strategies of a feature in an environment. */
export function checkStrategies(client: () => Client): void {
  const add = (name: string, strategy: object, environment?: string) =>
    client().post(contractPaths.strategies(name, environment), strategy);

  describe('adding a strategy', () => {
    test('answers what is stored, with an id, and shows it in this environment alone', async () => {
      const name = await makeFeature(client());
      const constraint = { contextName: 'userId', operator: 'IN', values: ['kiwi'] };
      const stored = bodyOf<StrategyReply>(
        await add(name, { name: 'default', title: 'Kiwis', constraints: [constraint] }),
      );
      expect(stored).toMatchObject({
        name: 'default',
        title: 'Kiwis',
        disabled: false,
        featureName: name,
        sortOrder: 0,
        segments: [],
        variants: [],
        parameters: {},
      });
      expect(stored.constraints).toMatchObject([constraint]);
      expect(stored.id).toMatch(/^[0-9a-f-]{36}$/);
      expect((await fetchState(client(), name)).strategies).toEqual([stored]);
      expect((await fetchState(client(), name, 'production')).strategies).toEqual([]);
    });

    test('puts it last, and gives a gradual rollout its parameters', async () => {
      const name = await makeFeature(client());
      await add(name, { name: 'default' });
      expect(bodyOf(await add(name, { name: 'flexibleRollout' }))).toMatchObject({
        sortOrder: 1,
        parameters: { rollout: '100', stickiness: 'default', groupId: name },
      });
    });

    test('shares among the variable variants what the fixed ones leave', async () => {
      const name = await makeFeature(client());
      const variants = [variant('a', 0, 'variable'), variant('b', 0, 'variable'), variant('c', 299, 'fix')];
      const { variants: stored } = bodyOf<StrategyReply>(await add(name, { name: 'default', variants }));
      expect((stored as { weight: number }[]).map(({ weight }) => weight)).toEqual([351, 350, 299]);
    });

    test('writes one event', async () => {
      const name = await makeFeature(client());
      const added = await fetchEventsAddedBy(client(), name, () => add(name, { name: 'default' }));
      expect(added).toMatchObject([
        { type: 'feature-strategy-add', environment: 'development', project: 'default', data: { name: 'default' } },
      ]);
    });

    test('is refused for a type or a segment that does not exist', async () => {
      const name = await makeFeature(client());
      expectRefusal(await add(name, { name: uniqueName('type') }), 400, 'ValidationError');
      expectRefusal(await add(name, { name: 'default', segments: [999_999] }), 404, 'NotFoundError');
    });

    test('is refused in an environment that the project does not have', async () => {
      const name = await makeFeature(client());
      expectRefusal(await add(name, { name: 'default' }, uniqueName('environment')), 404, 'NotFoundError');
    });

    test('is refused with every problem at once, and then stores nothing', async () => {
      const name = await makeFeature(client());
      const bad = {
        name: 'default',
        constraints: [
          { contextName: 'userId', operator: 'UNKNOWN' },
          { contextName: 'age', operator: 'NUM_GT' },
        ],
        parameters: { rollout: [50] },
      };
      const places = refusedPaths(await add(name, bad));
      expect(places).toContain('constraints.0.operator');
      expect(places).toContain('parameters.rollout');
      expect((await fetchState(client(), name)).strategies).toEqual([]);
    });

    test('is refused beyond 30 of them', async () => {
      const name = await makeFeature(client());
      for (let index = 0; index < 30; index += 1) bodyOf(await add(name, { name: 'default' }));
      expectRefusal(await add(name, { name: 'default' }), 400, 'ValidationError');
    });
  });
}
