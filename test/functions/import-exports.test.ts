import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { writesNothing } from '../harness/imports.ts';
import { sharedService } from '../specifications/specify.ts';

describe.each(['6.3', '8.2'])('An export of Unleash %s', (version) => {
  // biome-ignore lint/suspicious/noExplicitAny: the file is somebody else's.
  const data: any = JSON.parse(readFileSync(new URL(`../fixtures/unleash-${version}.json`, import.meta.url), 'utf8'));
  const file = { project: 'default', environment: 'development', data };
  const read = (name: string) => service.get(`/api/admin/projects/default/features/${name}`);
  const importFile = () => service.post('/api/admin/features-batch/import', file);

  const service = sharedService();
  beforeAll(async () => {
    expect(await importFile()).toMatchObject({ status: 200, text: '' });
  });

  test('reads back as it is in the file, feature by feature', async () => {
    const found = await Promise.all(data.features.map(({ name }: { name: string }) => read(name)));
    for (const [index, wanted] of data.features.entries()) {
      const { body } = found[index];
      expect(body).toMatchObject(wanted);
      const state = body.environments.find((each: { name: string }) => each.name === 'development');
      const strategies = data.featureStrategies.filter(
        (each: { featureName: string }) => each.featureName === wanted.name,
      );
      expect(
        state.strategies.map(
          ({ id: _id, sortOrder: _order, ...strategy }: { id: string; sortOrder: number }) => strategy,
        ),
      ).toEqual(
        strategies.map(({ id: _id, featureName: _name, ...strategy }: { id: string; featureName: string }) => strategy),
      );
      const inFile = data.featureEnvironments.find((each: { featureName: string }) => each.featureName === wanted.name);
      expect(state).toMatchObject({ enabled: inFile.enabled, variants: inFile.variants });
      const tags = data.featureTags.filter((each: { featureName: string }) => each.featureName === wanted.name);
      expect(body.tags).toEqual(
        tags.map((tag: { tagType: string; tagValue: string }) => ({ type: tag.tagType, value: tag.tagValue })),
      );
      const dependencies = data.dependencies.filter((each: { feature: string }) => each.feature === wanted.name);
      expect(body.dependencies).toEqual(dependencies.flatMap((each: { dependencies: unknown[] }) => each.dependencies));
    }
  });

  test('writes nothing when it is imported again: every id, event and time stays', async () => {
    expect(await writesNothing(service, importFile)).toMatchObject({ status: 200 });
  });
});
