import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { checkBackup, writeBackup } from '../../../lib/backup/backup-file.ts';
import { copyStore } from '../../../lib/backup/copy-store.ts';
import { restoreStore, takeOverPause } from '../../../lib/backup/restore-store.ts';
import { WorkingCopy } from '../../../lib/backup/working-copy.ts';
import * as edgeKeys from '../../../lib/delivery/edge/keys.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { lastMigration } from '../../../lib/migrations/migrate.ts';
import type { Request } from '../../../lib/request.ts';
import { giveFirstPassword } from '../../../lib/sign-in/first-admin.ts';
import * as keys from '../../../lib/store/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../lib/store/transactions/transact.ts';
import * as usageKeys from '../../../lib/usage/keys.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { invoke } from '../../harness/gateway.ts';
import { changesBetween, contentOf, type Item } from '../../harness/items.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { freshService, serviceOn } from '../../harness/service.ts';
import { beforeRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { tableForEach } from '../../specifications/specify.ts';

const folder = folderOfTests();
const startProgress = () => ({ advance() {}, [Symbol.dispose]() {} });

async function keep(table: Request, name: string): Promise<string> {
  const file = join(folder, name);
  using copy = new WorkingCopy();
  await copyStore(table, copy, startProgress);
  await writeBackup(file, copy, { version: '0.0.1', layout: lastMigration }, startProgress);
  return file;
}

const restore = async (table: Request, file: string, replaces = false) =>
  restoreStore(table, file, await checkBackup(file, startProgress), { replaces, startProgress });

/** Tells whether an item grants access. */
const isDoor = ({ pk }: Item) => pk === 'ACCESS' || pk.startsWith('TOKENS#');

/** Makes every request to the store after the first few fail, as if the process had died. */
async function dyingAfter(table: Request, calls: number, action: () => Promise<unknown>): Promise<boolean> {
  let left = calls;
  using _ = beforeRequests(table, () => {
    left -= 1;
    if (left < 0) throw new Error('It has died.');
  });
  return await action().then(
    () => false,
    () => true,
  );
}

takeOverPause.waitMs = 0;
let file: string;
let content: Item[];
beforeAll(async () => {
  const service = await freshService();
  const world = new World(service);
  await world.project();
  for (let count = 0; count < 6; count += 1) await world.feature({ on: true, parents: [] });
  await world.features(3);
  await world.segment();
  await world.user();
  await world.groupId();
  file = await keep(service.table, 'store.gz');
  const restored = await freshTable();
  await restore(restored, file);
  content = await contentOf(restored);
});

describe('A restore', () => {
  const table = tableForEach();

  test('fills an empty store with the whole backup, without contradictions', async () => {
    await restore(table, file);
    expect(changesBetween(content, await contentOf(table))).toEqual([]);
    expect(problemsOf(content)).toEqual([]);
    expect(readFileSync(await keep(table, 'again.gz')).equals(readFileSync(file))).toBe(true);
  });

  test('fills a prepared store, and replaces the password of its first administrator', async () => {
    await prepareStore(table, { adminTokens: [] });
    await giveFirstPassword(table, 'a-Password-of-the-1st-start', true);
    await restore(table, file);
    expect(changesBetween(content, await contentOf(table))).toEqual([]);
  });

  test('fills a prepared store after any number of failed sign-ins', async () => {
    await prepareStore(table, { adminTokens: [] });
    await giveFirstPassword(table, 'a-Password-of-the-1st-start', true);
    process.env.TABLE_NAME = table.store.name;
    const body = { username: 'admin', password: 'a guess' };
    expect(await invoke({ method: 'POST', target: '/auth/simple/login', body })).toMatchObject({
      answer: { status: 401 },
    });
    // SDKs with tokens that the store does not contain yet.
    await writeCounts(table, { key: usageKeys.traffic('2026-11-26'), add: { '/api/client:4': 1 } });
    await restore(table, file);
    expect(changesBetween(content, await contentOf(table))).toEqual([]);
  });

  test.each([
    ['a token', async () => void (await serviceOn(table))],
    ['a feature', async () => void (await new World(await serviceOn(table)).feature())],
    [
      'a change of its environments',
      async () => {
        const { call } = await serviceOn(table);
        await nextMillisecond();
        const body = { name: 'lab', type: 'test' };
        await call('POST', '/api/admin/environments', { body });
        for (const { pk, sk } of await contentOf(table))
          if (pk.startsWith('TOKENS#')) await transact(table, [{ remove: { pk, sk } }], undefined);
      },
    ],
  ])('refuses a store with %s, and writes nothing', async (_what, use) => {
    await prepareStore(table, { adminTokens: [] });
    await use();
    const before = await contentOf(table);
    await expect(restore(table, file)).rejects.toThrow(
      'This store is in use: restore into an empty one, or add --replace',
    );
    expect(changesBetween(before, await contentOf(table))).toEqual([]);
  });

  test('replaces a store in use with --replace, and uses no id twice', async () => {
    const service = await freshService();
    const world = new World(service);
    for (let count = 0; count < 3; count += 1) await world.segment();
    const events = await raiseCounter(service.table, keys.counter('event'), 10_000);
    await restore(service.table, file, true);
    const rest = (items: readonly Item[]) => items.filter(({ pk }) => !pk.startsWith('COUNTER#'));
    expect(changesBetween(rest(content), rest(await contentOf(service.table)))).toEqual([]);
    expect(await readItem(service.table, keys.counter('event'))).toMatchObject({ value: events });
    expect(await readItem(service.table, keys.counter('segment'))).toMatchObject({ value: 3 });
  });

  test('leaves nothing of the earlier store, whatever its names are', async () => {
    const { call } = await serviceOn(table);
    const body = { id: keys.restoring().sk, name: 'A name like any other' };
    expect(await call('POST', '/api/admin/projects', { body })).toMatchObject({ status: 201 });
    await restore(table, file, true);
    expect((await contentOf(table)).filter(({ sk }) => sk === body.id)).toEqual([]);
  });

  test('that is interrupted at any request continues when it is run again; until then nobody has access', async () => {
    const [doors, rest] = [isDoor, (item: Item) => !isDoor(item) && item.sk !== keys.restoring().sk];
    let isCut = true;
    for (let calls = 0; isCut; calls += 1) {
      const target = await freshTable();
      await prepareStore(target, { adminTokens: ['*:*.of-the-store-before'] });
      const before = await contentOf(target);
      isCut = await dyingAfter(target, calls, () => restore(target, file, true));
      const found = await contentOf(target);
      if (found.some(({ sk }) => sk === keys.restoring().sk)) {
        await expect(prepareStore(target, { adminTokens: [] })).rejects.toThrow('is unfinished');
        const whole = [before, content].map((items) => JSON.stringify(items.filter(rest)));
        if (found.some(doors)) expect(whole, `after ${calls} calls`).toContain(JSON.stringify(found.filter(rest)));
      }
      if (isCut) await restore(target, file, true);
      expect(changesBetween(content, await contentOf(target)), `after ${calls} calls`).toEqual([]);
    }
    expect(isCut).toBe(false);
  });

  test('of another file refuses to continue an interrupted restore, unless it may replace the store', async () => {
    const other = await keep(await freshTable(), 'other.gz');
    await dyingAfter(table, 8, () => restore(table, file));
    await expect(restore(table, other)).rejects.toThrow('A restore of another backup into this store');
    await restore(table, file);
    expect(changesBetween(content, await contentOf(table))).toEqual([]);
  });

  test('stops when another restore takes over, and removes none of its items', async () => {
    const another = await keep(await freshTable(), 'another.gz');
    let isMet = false;
    beforeRequests(table, async (_input, command) => {
      if (isMet || command !== 'Scan') return;
      isMet = true;
      await restore(table, file, true);
    });
    await expect(restore(table, another, true)).rejects.toThrow('Another restore into this store has taken over');
    expect(changesBetween(content, await contentOf(table))).toEqual([]);
  });

  test('omits items that have expired since the backup', async () => {
    const source = await freshTable();
    await prepareStore(source, { adminTokens: [] });
    const expiresAtSeconds = Math.ceil(Date.now() / 1_000) + 60;
    const [soon, late] = [edgeKeys.nonce('x'), usageKeys.customMetric('y')];
    await transact(
      source,
      [
        { put: late, item: { expiresAtSeconds } },
        { put: soon, item: { expiresAtSeconds } },
      ],
      undefined,
    );
    const kept = await keep(source, 'passing.gz');
    expect(gunzipSync(readFileSync(kept)).toString()).toContain('CUSTOM_METRICS');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await restore(table, kept).finally(() => vi.useRealTimers());
    expect(await readItem(table, late)).toBeUndefined();
  });
});
