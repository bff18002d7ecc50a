import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectDone, expectRefusal, refusedPaths } from '../client.ts';
import {
  contractPaths,
  fetchEvents,
  fetchEventTypes,
  fetchFeature,
  fetchState,
  importBody,
  makeFeature,
  uniqueName,
} from '../features.ts';

interface Export {
  readonly features: readonly { readonly name: string }[];
  readonly featureStrategies: readonly { readonly name: string; readonly featureName: string }[];
  readonly featureEnvironments: readonly { readonly featureName: string; readonly enabled: boolean }[];
  readonly featureTags: readonly {
    readonly featureName: string;
    readonly tagType: string;
    readonly tagValue: string;
  }[];
}

/** Returns the export of an Unleash server of version 8.2, with names that nothing has yet. */
function renamedExport(): Export {
  const text = readFileSync(new URL('../../fixtures/unleash-8.2.json', import.meta.url), 'utf8');
  const names = new Set((JSON.parse(text) as Export).features.map(({ name }) => name));
  const suffix = uniqueName('');
  return JSON.parse(text, (_, value) => (names.has(value) ? value + suffix : value)) as Export;
}

/** Import, of whole files and of parts. */
export function checkImports(client: () => Client): void {
  const send = (parts: object, environment?: string, project?: string) =>
    client().post(contractPaths.import, importBody(parts, environment, project));

  describe("an export of Unleash's", () => {
    test('comes over whole, and changes nothing when it is imported again', async () => {
      const data = renamedExport();
      expectDone(await send(data));
      const readAll = () =>
        Promise.all(
          data.features.map(async ({ name }) => ({
            feature: await fetchFeature(client(), name),
            events: await fetchEvents(client(), name),
          })),
        );
      const before = await readAll();
      for (const [index, wanted] of data.features.entries()) {
        const { feature } = before[index] ?? {};
        expect(feature).toMatchObject(wanted);
        const isOfIt = ({ featureName }: { featureName: string }) => featureName === wanted.name;
        const state = feature?.environments.find(({ name }) => name === 'development');
        expect(state?.enabled).toBe(data.featureEnvironments.find(isOfIt)?.enabled);
        expect(state?.strategies.map(({ name }) => name)).toEqual(
          data.featureStrategies.filter(isOfIt).map(({ name }) => name),
        );
        expect(feature?.tags).toEqual(
          data.featureTags.filter(isOfIt).map(({ tagType, tagValue }) => ({ type: tagType, value: tagValue })),
        );
      }
      expectDone(await send(data));
      expect(await readAll()).toEqual(before);
    });
  });

  describe('an import', () => {
    test('creates features with their strategies, tags, variants and parents', async () => {
      const [parent, name] = [uniqueName(), uniqueName()];
      const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
      expectDone(
        await send({
          features: [{ name: parent }, { name, description: 'Imported' }],
          featureStrategies: [{ featureName: name, name: 'default' }],
          featureEnvironments: [{ featureName: name, name: 'development', enabled: true, variants }],
          featureTags: [{ featureName: name, tagType: 'simple', tagValue: 'imported' }],
          dependencies: [{ feature: name, dependencies: [{ feature: parent, enabled: true }] }],
        }),
      );
      expect(await fetchFeature(client(), name)).toMatchObject({
        description: 'Imported',
        tags: [{ type: 'simple', value: 'imported' }],
        dependencies: [{ feature: parent, enabled: true }],
      });
      expect(await fetchState(client(), name)).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
      expect(bodyOf(await client().get(contractPaths.variants(name)))).toMatchObject({ version: 1, variants });
      expect(await fetchFeature(client(), parent)).toMatchObject({ children: [name] });
    });

    test('replaces the strategies of a feature, and only in its environment', async () => {
      const name = await makeFeature(client());
      for (const environment of ['development', 'production']) {
        bodyOf(await client().post(contractPaths.strategies(name, environment), { name: 'default' }));
      }
      const untouched = await fetchState(client(), name, 'production');
      const featureStrategies = [{ featureName: name, name: 'flexibleRollout', parameters: { rollout: '10' } }];
      expectDone(await send({ features: [{ name }], featureStrategies }));
      expect((await fetchState(client(), name)).strategies).toMatchObject([{ parameters: { rollout: '10' } }]);
      expect(await fetchState(client(), name, 'production')).toEqual(untouched);
      const types = await fetchEventTypes(client(), name);
      expect(types).toContain('feature-strategy-remove');
    });

    test('gives a feature that is on without a strategy one', async () => {
      const name = await makeFeature(client(), { enabled: true });
      expect((await fetchState(client(), name)).strategies).toHaveLength(1);
    });

    test('lists all that is wrong with a file, and then writes nothing of it', async () => {
      const good = uniqueName();
      const answer = await send({
        features: [{ name: good }, { name: 'no name' }],
        featureStrategies: [
          { featureName: good, name: uniqueName('type') },
          { featureName: uniqueName(), name: 'default' },
        ],
        dependencies: [{ feature: good, dependencies: [{ feature: uniqueName() }] }],
      });
      expect(refusedPaths(answer).length).toBeGreaterThan(0);
      expectRefusal(await client().put(contractPaths.feature(good), {}), 404, 'NotFoundError');
      expect(await fetchEvents(client(), good)).toEqual([]);
    });

    test('answers 404 where the project or the environment is unknown', async () => {
      expectRefusal(await send({}, 'development', uniqueName('project')), 404, 'NotFoundError');
      expectRefusal(await send({}, uniqueName('environment')), 404, 'NotFoundError');
    });

    test('leaves the features alone that live in another project', async () => {
      const name = await makeFeature(client());
      expectRefusal(await send({ features: [{ name }] }, 'development', 'contract-other'), 400, 'ValidationError');
    });
  });
}
