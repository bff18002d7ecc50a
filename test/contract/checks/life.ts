import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importBody, importPath } from '../../harness/import-file.ts';
import { paths } from '../../harness/paths.ts';
import { bodyOf, type Client, expectDone, expectRefusal } from '../client.ts';
import {
  type EventList,
  fetchEvents,
  fetchEventTypes,
  fetchFeature,
  fetchState,
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

/**
 * Calls of each kind, each of which rests on the ones before. What each operation does is tested within the process, in
 * test/functions; here all of it goes through the parts of a deployment.
 */
export function checkLife(client: () => Client): void {
  test('a feature is changed, tagged, given a strategy, archived and revived, and its history tells of each', async () => {
    const name = await makeFeature(client(), { enabled: true });
    const change = (body: object) => client().put(paths.feature(name), body);
    const [given] = (await fetchState(client(), name)).strategies;
    expect(bodyOf(await change({ description: 'New' }))).toMatchObject({ name, description: 'New', archived: false });
    const tagged = await client().post(paths.tags(name), { value: 'web/checkout' });
    expect(tagged).toMatchObject({ status: 201, body: { value: 'web/checkout', type: 'simple' } });
    expect(tagged.headers.get('location')).toBe(paths.tags(name));
    const strategy = { name: 'flexibleRollout', title: 'Some', parameters: { rollout: '10' } };
    const added = bodyOf(await client().post(paths.strategies(name), strategy));
    // As on Unleash, the strategies of a feature do not name it.
    const { featureName: _name, ...shown } = added as Record<string, unknown>;
    expect((await fetchState(client(), name)).strategies).toEqual([given, shown]);
    expect((await fetchState(client(), name, 'production')).strategies).toEqual([]);
    expectRefusal(await client().put(paths.feature(name, 'contract-other'), {}), 404, 'NotFoundError');

    expect(bodyOf(await change({ archived: true }))).toMatchObject({ lifecycle: { stage: 'archived' } });
    const { features } = bodyOf<{ features: { name: string }[] }>(await client().get(paths.archive()));
    expect(features[0]).toMatchObject({ name, archived: true, archivedAt: expect.any(String) });
    expect(bodyOf(await change({ archived: false }))).toMatchObject({ tags: [{ value: 'web/checkout' }] });
    expect((await client().call('DELETE', `${paths.tags(name)}/simple/web%2Fcheckout`)).status).toBe(200);
    expect(await fetchEventTypes(client(), name)).toEqual([
      ...['feature-created', 'feature-strategy-add', 'feature-environment-enabled', 'feature-metadata-updated'],
      ...['feature-tagged', 'feature-strategy-add'],
      ...['feature-metadata-updated', 'feature-archived', 'feature-metadata-updated', 'feature-revived'],
      'feature-untagged',
    ]);
  });

  test('the events of a feature come page by page, newest first, with none twice and none left out', async () => {
    const page = async (name: string, query: string) =>
      bodyOf<EventList>(await client().get(paths.events(name, query)));
    const name = await makeFeature(client());
    for (const index of [1, 2, 3, 4]) await client().put(paths.feature(name), { description: `${index}` });
    const all = (await fetchEvents(client(), name)).toReversed();
    const first = await page(name, '?limit=2');
    const second = await page(name, `?limit=10&before=${first.events.at(-1)?.id}`);
    expect([...first.events, ...second.events]).toEqual(all);
  });

  test('features that are switched off together count no more in the list of environments', async () => {
    const countOn = async () => {
      const { environments } = bodyOf<{ environments: { name: string; enabledToggleCount: number }[] }>(
        await client().get('/api/admin/environments'),
      );
      return environments.find(({ name }) => name === 'development')?.enabledToggleCount ?? 0;
    };
    const before = await countOn();
    const features = await Promise.all([1, 2, 3].map(() => makeFeature(client(), { enabled: true })));
    expect(await countOn()).toBe(before + features.length);
    expectDone(await client().post(paths.off(), { features }));
    expect(await countOn()).toBe(before);
  });

  test("an export of Unleash's comes over whole, and changes nothing when it is imported again", async () => {
    const data = renamedExport();
    expectDone(await client().post(importPath, importBody(data)));
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
    expectDone(await client().post(importPath, importBody(data)));
    expect(await readAll()).toEqual(before);
  });

  test('an addon that the seed has made is deleted once: 200, then 404', async () => {
    const remove = () => client().call('DELETE', '/api/admin/addons/4711');
    expectDone(await remove());
    expectRefusal(await remove(), 404, 'NotFoundError');
  });

  test('settings are answered as they are given, read back so, and replaced as a whole', async () => {
    const path = '/api/admin/auth/saml/settings';
    const required = { entityId: 'entity', signOnUrl: 'https://idp.example.com/on', certificate: 'MII' };
    for (const settings of [{ ...required, enabled: true, autoCreate: true, defaultRootRole: 'Viewer' }, required]) {
      bodyOf(await client().post(path, settings));
      expect(bodyOf(await client().get(path))).toMatchObject(settings);
    }
  });
}
