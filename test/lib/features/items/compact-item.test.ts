import { expect, test } from 'vitest';
import * as featureKeys from '../../../../lib/features/keys.ts';
import { loadReadModel } from '../../../../lib/features/read-model/read-model.ts';
import type { Key } from '../../../../lib/store/client/definition.ts';
import { readItem } from '../../../../lib/store/read.ts';
import { transact } from '../../../../lib/store/transactions/transact.ts';
import { anotherProcess } from '../../../harness/another-process.ts';
import { paths } from '../../../harness/features.ts';
import { freshService } from '../../../harness/service.ts';
import { World } from '../../../harness/world.ts';

/** The default attributes that items of the feature can omit. */
const ofMost = { stale: false, impressionData: false, description: null, tags: '[]', links: '[]', parts: '[]' };

type Stored = Key & Record<string, string | number | boolean | null>;

test('Default attributes are not stored, and items with and without them read the same', async () => {
  const service = await freshService();
  const { name } = await new World(service).feature();
  const [own, listed] = [featureKeys.feature(name), featureKeys.listedFeature('default', name)];
  const readAll = async () => ({
    feature: (await service.get(paths.feature(name))).body,
    listed: (await loadReadModel(anotherProcess(service.table), 'default')).features.get(name),
  });
  const read = await readAll();
  expect(read.feature).toMatchObject({ stale: false, impressionData: false, description: null, archivedAt: null });
  for (const key of [own, listed]) {
    const { pk: _pk, sk: _sk, ...item } = (await readItem<Stored>(service.table, key)) as Stored;
    expect(Object.keys(item).filter((attribute) => attribute in ofMost)).toEqual([]);
    await transact(service.table, [{ put: key, item: { ...item, ...ofMost, archivedAt: null } }], undefined);
  }
  expect(await readAll()).toEqual(read);
});
