import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectRefusal } from '../client.ts';
import { contractPaths, fetchEventsAddedBy, fetchFeature, makeFeature } from '../features.ts';

/** Features in the archive, on the way there and back. */
export function checkArchive(client: () => Client): void {
  const setArchived = async (name: string, archived: boolean) =>
    bodyOf(await client().put(contractPaths.feature(name), { archived }));
  const archivedFeatures = async () =>
    bodyOf<{ version: number; features: { name: string; archivedAt: string }[] }>(
      await client().get(contractPaths.archive()),
    );
  const archivedNames = async () => (await archivedFeatures()).features.map(({ name }) => name);

  describe('an archived feature', () => {
    test('is the first in the archive at once, with the time, and keeps what it is', async () => {
      const name = await makeFeature(client(), { enabled: true });
      const before = await fetchFeature(client(), name);
      const after = await setArchived(name, true);
      expect(after).toMatchObject({
        archived: true,
        archivedAt: expect.any(String),
        lifecycle: { stage: 'archived' },
        environments: before.environments,
      });
      const { version, features } = await archivedFeatures();
      expect(version).toBe(2);
      expect(features[0]).toMatchObject({ name, archived: true });
      const times = features.map(({ archivedAt }) => archivedAt);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    test('answers 404 to every change but the update', async () => {
      const name = await makeFeature(client());
      await setArchived(name, true);
      for (const [path, body] of [
        [contractPaths.tags(name), { value: 'tagged' }],
        [contractPaths.strategies(name), { name: 'default' }],
        [contractPaths.off(), { features: [name] }],
      ] as const) {
        expectRefusal(await client().post(path, body), 404, 'NotFoundError');
      }
    });

    test('that is revived leaves the archive and starts its lifecycle again', async () => {
      const name = await makeFeature(client());
      await setArchived(name, true);
      expect(await setArchived(name, false)).toMatchObject({
        archived: false,
        archivedAt: null,
        lifecycle: { stage: 'initial' },
      });
      expect(await archivedNames()).not.toContain(name);
      expect(await client().post(contractPaths.tags(name), { value: 'again' })).toMatchObject({ status: 201 });
    });

    test('has an event for each way, and none for a way already gone', async () => {
      const name = await makeFeature(client());
      const added = await fetchEventsAddedBy(client(), name, async () => {
        for (const archived of [true, true, false, false]) await setArchived(name, archived);
      });
      const types = added.map(({ type }) => type).filter((type) => /archived|revived/.test(type));
      expect(types).toEqual(['feature-archived', 'feature-revived']);
    });
  });
}
