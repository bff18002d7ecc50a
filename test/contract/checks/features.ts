import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectDone, expectRefusal, refusedPaths } from '../client.ts';
import {
  contractPaths,
  type FeatureReply,
  fetchEvents,
  fetchEventsAddedBy,
  fetchEventTypes,
  fetchFeature,
  fetchState,
  makeFeature,
  uniqueName,
} from '../features.ts';

/** Updates, tags, variants, and switching many off. */
export function checkFeatures(client: () => Client): void {
  const update = (name: string, body: object) => client().put(contractPaths.feature(name), body);

  describe('updating a feature', () => {
    test('answers it complete, and leaves alone what is not named', async () => {
      const name = await makeFeature(client());
      const before = await fetchFeature(client(), name);
      expect(before).toMatchObject({
        name,
        type: 'release',
        project: 'default',
        archived: false,
        archivedAt: null,
        tags: [],
        lifecycle: { stage: 'initial' },
      });
      const after = bodyOf<FeatureReply>(await update(name, { description: 'New', type: 'experiment' }));
      expect(after).toEqual({ ...before, description: 'New', type: 'experiment' });
      expect(await fetchFeature(client(), name)).toEqual(after);
    });

    test('clears a description with null', async () => {
      const name = await makeFeature(client());
      await update(name, { description: 'Old' });
      expect(bodyOf(await update(name, { description: null }))).toMatchObject({ description: null });
    });

    test('with what it is already writes no event', async () => {
      const name = await makeFeature(client());
      await update(name, { description: 'Same', stale: true });
      const added = await fetchEventsAddedBy(client(), name, () => update(name, { description: 'Same', stale: true }));
      expect(added).toEqual([]);
    });

    test('writes what was before and what is after into an event, and staleness into one more', async () => {
      const name = await makeFeature(client());
      const added = await fetchEventsAddedBy(client(), name, () => update(name, { description: 'New', stale: true }));
      expect(added.map(({ type }) => type).toSorted()).toEqual(['feature-metadata-updated', 'feature-stale-on']);
      expect(added.find(({ type }) => type === 'feature-metadata-updated')).toMatchObject({
        featureName: name,
        project: 'default',
        preData: { description: null, stale: false },
        data: { description: 'New', stale: true },
      });
    });

    test('is refused where the name in the body is another, and with every problem at once', async () => {
      const name = await makeFeature(client());
      expectRefusal(await update(name, { name: 'another' }), 400, 'ValidationError');
      expect(refusedPaths(await update(name, { description: [], type: '', stale: 'true' }))).toEqual([
        'description',
        'stale',
        'type',
      ]);
    });

    test('answers 404 where the feature is in another project, or the project is unknown', async () => {
      const name = await makeFeature(client());
      const [known, unknown] = [
        contractPaths.feature(name, 'contract-other'),
        contractPaths.feature(name, uniqueName('project')),
      ];
      for (const path of [known, unknown]) expectRefusal(await client().put(path, {}), 404, 'NotFoundError');
    });

    test('is found by exactly its name, letter case included', async () => {
      const name = await makeFeature(client());
      expectRefusal(await update(name.toUpperCase(), {}), 404, 'NotFoundError');
    });
  });

  describe('a tag', () => {
    test('is answered with its place, and is on the feature', async () => {
      const name = await makeFeature(client());
      const answer = await client().post(contractPaths.tags(name), { value: 'checkout' });
      expect(answer).toMatchObject({ status: 201, body: { value: 'checkout', type: 'simple' } });
      expect(answer.headers.get('location')).toBe(contractPaths.tags(name));
      expect(await fetchFeature(client(), name)).toMatchObject({ tags: [{ value: 'checkout', type: 'simple' }] });
    });

    test('that is added twice is one tag and one event, and 201 each time', async () => {
      const name = await makeFeature(client());
      for (const _ of [1, 2]) {
        expect(await client().post(contractPaths.tags(name), { value: 'twice' })).toMatchObject({ status: 201 });
      }
      expect(await fetchFeature(client(), name)).toMatchObject({ tags: [{ value: 'twice' }] });
      expect((await fetchEventTypes(client(), name)).filter((type) => type === 'feature-tagged')).toHaveLength(1);
    });

    test('has 2 to 50 characters, and is of a type that exists', async () => {
      const name = await makeFeature(client());
      for (const value of ['a', 'a'.repeat(51)]) {
        expect(refusedPaths(await client().post(contractPaths.tags(name), { value }))).toEqual(['value']);
      }
      const ofNone = await client().post(contractPaths.tags(name), { value: 'ab', type: uniqueName('type') });
      expectRefusal(ofNone, 400, 'ValidationError');
    });
  });

  describe('the variants of a feature', () => {
    test('are none at first, and 404 in an environment that its project does not have', async () => {
      const name = await makeFeature(client());
      expect(bodyOf(await client().get(contractPaths.variants(name)))).toEqual({ version: 1, variants: [] });
      const elsewhere = contractPaths.variants(name, uniqueName('environment'));
      expectRefusal(await client().get(elsewhere), 404, 'NotFoundError');
    });
  });

  describe('switching features off', () => {
    const off = (features: readonly string[]) => client().post(contractPaths.off(), { features });
    const makeMany = () => Promise.all([1, 2, 3].map(() => makeFeature(client(), { enabled: true })));

    test('switches each off once, however often it is listed, with an event for each that was on', async () => {
      const names = await makeMany();
      const wasOff = await makeFeature(client());
      expectDone(await off([...names, ...names, wasOff]));
      for (const name of names) {
        expect(await fetchState(client(), name)).toMatchObject({ enabled: false });
        const types = await fetchEventTypes(client(), name);
        expect(types.filter((type) => type === 'feature-environment-disabled')).toHaveLength(1);
      }
      expect(await fetchEventTypes(client(), wasOff)).not.toContain('feature-environment-disabled');
    });

    test('changes nothing where one of them is unknown', async () => {
      const names = await makeMany();
      expectRefusal(await off([...names, uniqueName()]), 404, 'NotFoundError');
      for (const name of names) expect(await fetchState(client(), name)).toMatchObject({ enabled: true });
    });

    test('takes an empty list for done', async () => {
      expectDone(await off([]));
    });

    test('counts in the list of environments at once', async () => {
      const countOn = async () => {
        const { environments } = bodyOf<{ environments: { name: string; enabledToggleCount: number }[] }>(
          await client().get(contractPaths.environments),
        );
        return environments.find(({ name }) => name === 'development')?.enabledToggleCount ?? 0;
      };
      const before = await countOn();
      const names = await makeMany();
      expect(await countOn()).toBe(before + names.length);
      expectDone(await off(names));
      expect(await countOn()).toBe(before);
    });

    test('sent again, changes nothing more', async () => {
      const [name = ''] = await makeMany();
      expectDone(await off([name]));
      const events = await fetchEvents(client(), name);
      expectDone(await off([name]));
      expect(await fetchEvents(client(), name)).toEqual(events);
    });
  });
}
