import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFeatureCounts } from '../../../lib/projects/ledger.ts';
import { addFeatures, addFeaturesOn, paths, shopSeed } from '../../harness/features.ts';
import { snapshot } from '../../harness/items.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { readModelProblems } from '../../invariants/read-models.ts';

async function countsOf(service: Service, project = 'default') {
  expect(readModelProblems(await snapshot(service.table))).toEqual([]);
  const { types, on, changedAt: _changedAt, ...counts } = await loadFeatureCounts(service.table, project);
  return { ...counts, types: Object.fromEntries(types), on: Object.fromEntries(on) };
}

test('The counts of a project follow each change of its features', async () => {
  const service = await freshService(shopSeed);
  expect(await countsOf(service)).toEqual({ live: 0, archived: 0, stale: 0, types: {}, on: {} });
  await addFeatures(service, ['one', 'two']);
  await addFeaturesOn(service, ['three', 'four']);
  await addFeaturesOn(service, ['elsewhere'], { project: 'shop', environment: 'staging' });
  const four = { live: 4, archived: 0, stale: 0, types: { release: 4 }, on: { development: 2 } };
  expect(await countsOf(service)).toEqual(four);
  expect(await countsOf(service, 'shop')).toEqual({ ...four, live: 1, types: { release: 1 }, on: { staging: 1 } });

  await service.put(paths.feature('one'), { stale: true, type: 'kill-switch' });
  await service.post(paths.off(), { features: ['three'] });
  const changed = { ...four, stale: 1, types: { release: 3, 'kill-switch': 1 }, on: { development: 1 } };
  expect(await countsOf(service)).toEqual(changed);

  await service.put(paths.feature('four'), { archived: true });
  await service.put(paths.feature('one'), { archived: true });
  expect(await countsOf(service)).toEqual({ live: 2, archived: 2, stale: 0, types: { release: 2 }, on: {} });

  await service.put(paths.feature('one'), { archived: false });
  await service.put(paths.feature('four'), { archived: false });
  expect(await countsOf(service)).toEqual(changed);
});

test('The counts are right after many concurrent changes', async () => {
  const service = await freshService();
  const names = Array.from({ length: 20 }, (_, index) => `at-once-${index}`);
  await Promise.all(names.map((name) => addFeaturesOn(service, [name])));
  await Promise.all(
    names.flatMap((name, index) => [
      service.put(paths.feature(name), { stale: true }),
      ...(index % 2 === 0 ? [service.post(paths.off(), { features: [name] })] : []),
    ]),
  );
  const counts = { live: 20, archived: 0, stale: 20, types: { release: 20 }, on: { development: 10 } };
  expect(await countsOf(service)).toEqual(counts);
});

test('No other file of lib knows the items of a ledger or their attributes', () => {
  const spelt = /\b(?:keys|partitions)\.marks\b|'(?:closed|changedAt)'|[`'](?:type|on|out|closed):[$']/;
  // Change requests are open or closed, too.
  const isOther = (file: string) => !file.startsWith('lib/change-requests/');
  const files = globSync('lib/**/*.ts').filter((file) => isOther(file) && spelt.test(readFileSync(file, 'utf8')));
  expect(files).toEqual(['lib/projects/ledger.ts']);
});
