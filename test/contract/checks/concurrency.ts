import { describe, expect, test } from 'vitest';
import { importBody, importPath } from '../../harness/import-file.ts';
import { paths } from '../../harness/paths.ts';
import { type Client, expectDone } from '../client.ts';
import { fetchEvents, fetchEventTypes, fetchFeature, fetchState, makeFeature, uniqueName } from '../features.ts';

const eight = [0, 1, 2, 3, 4, 5, 6, 7];

/** Many callers at once. */
export function checkConcurrency(client: () => Client): void {
  describe('at the same time', () => {
    test('24 changes of one feature, of three kinds, are all kept, each with its event', async () => {
      const name = await makeFeature(client());
      const answers = await Promise.all(
        eight.flatMap((index) => [
          client().put(paths.feature(name), { description: `Description ${index}` }),
          client().post(paths.tags(name), { value: `tag-${index}` }),
          client().post(paths.strategies(name), { name: 'default', title: `Strategy ${index}` }),
        ]),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        ...Array<number>(16).fill(200),
        ...Array<number>(8).fill(201),
      ]);
      expect((await fetchFeature(client(), name)).tags).toHaveLength(8);
      const { strategies } = await fetchState(client(), name);
      expect(strategies.map(({ sortOrder }) => sortOrder)).toEqual(eight);
      const types = Map.groupBy(await fetchEventTypes(client(), name), (type) => type);
      expect(Object.fromEntries([...types].map(([type, { length }]) => [type, length]))).toEqual({
        'feature-created': 1,
        'feature-metadata-updated': 8,
        'feature-tagged': 8,
        'feature-strategy-add': 8,
      });
    });

    test('updates of one feature make one history, in which each begins where another ended', async () => {
      const name = await makeFeature(client());
      await Promise.all(eight.map((index) => client().put(paths.feature(name), { description: `${index}` })));
      const [created, ...updates] = await fetchEvents(client(), name);
      expect(updates).toHaveLength(8);
      expect(updates.map(({ preData }) => preData)).toEqual(
        [created, ...updates].slice(0, -1).map((event) => event?.data),
      );
    });

    test('equal imports all succeed, and make what one makes', async () => {
      const name = uniqueName();
      const file = importBody({
        features: [{ name }],
        featureStrategies: [{ featureName: name, name: 'default' }],
        featureEnvironments: [{ featureName: name, name: 'development', enabled: true }],
      });
      for (const answer of await Promise.all([1, 2, 3, 4].map(() => client().post(importPath, file)))) {
        expectDone(answer);
      }
      expect((await fetchState(client(), name)).strategies).toHaveLength(1);
      const types = await fetchEventTypes(client(), name);
      expect(types.toSorted()).toEqual(['feature-created', 'feature-environment-enabled', 'feature-strategy-add']);
    });
  });
}
