import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openStore } from '../../../lib/store/client/client.ts';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';
import { fillFresh } from '../../harness/fresh-content.ts';
import { contentOf } from '../../harness/items.ts';
import { freshTable } from '../../harness/table.ts';
import { temporaryDirectory } from './local-runtime.ts';

test('What release 0.2 and earlier ones have kept is taken over at the first start, and their file is kept beside', async () => {
  const directory = await temporaryDirectory();
  // It kept its data by this program.
  const earlier = await startDynamoDbServer({ file: join(directory, 'store.db') });
  const table = await freshTable(earlier.endpoint);
  await fillFresh(table);
  const content = await contentOf(table);
  expect(content.length).toBeGreaterThan(40);
  await earlier.stop();

  for (const start of ['the first', 'the next']) {
    const store = await openEmbeddedStore(directory);
    const opened = { ...table, store: openStore({ name: table.store.name, endpoint: store.address }) };
    expect(await contentOf(opened), start).toEqual(content);
    await store.close();
  }
  expect((await readdir(directory)).toSorted()).toEqual(['flagstaff.db', 'store-0.2.db']);
});
