import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runMigration } from '../../../../lib/imports/migration/run.ts';
import { readSource, type SourceContent } from '../../../../lib/imports/migration/source.ts';
import { prepareStore } from '../../../../lib/imports/seed/fresh-store.ts';
import type { Request } from '../../../../lib/request.ts';
import { withFault } from '../../../harness/faults.ts';
import { contentOf, snapshot } from '../../../harness/items.ts';
import { freshService, serviceOn } from '../../../harness/service.ts';
import { freshTable } from '../../../harness/table.ts';
import { problemsOf } from '../../../invariants/problems.ts';
import { changeSource, fillSource, getFrom } from './filled-source.ts';

const from = 'https://unleash.example.com/';
/** A server on Monday, and on Tuesday: read as a whole, and read on from Monday. */
let [monday, tuesday, followed]: SourceContent[] = [];
beforeAll(async () => {
  // As on an open-source server, lists show the secrets.
  process.env.READABLE_CLIENT_TOKENS = 'true';
  const service = await freshService();
  await fillSource(service);
  const get = getFrom(service);
  monday = await readSource(get);
  await changeSource(service);
  tuesday = await readSource(get);
  followed = await readSource(get, () => {}, monday);
});
afterAll(() => {
  delete process.env.READABLE_CLIENT_TOKENS;
});

const write = (table: Request, source: SourceContent | undefined) =>
  runMigration(table, source as SourceContent, { from, isWriting: true });

async function expectMoved(table: Request, source: SourceContent | undefined): Promise<void> {
  expect(problemsOf(await contentOf(table))).toEqual([]);
  const moved = await readSource(getFrom(await serviceOn(table)));
  expect(comparable(moved)).toEqual(comparable(source as SourceContent));
  const past = moved.events.map(({ data, preData }) => ({ ...Object(preData), ...Object(data) }).importedEvent);
  const imported = past.filter((id) => id !== undefined);
  expect(imported.toSorted((x, y) => x - y)).toEqual(source?.events.map(({ id }) => id));
}

async function emptyStore(): Promise<Request> {
  const table = await freshTable();
  await prepareStore(table, { adminTokens: [] });
  return table;
}

/** The parts of a server that must be the same on both sides. */
function comparable({ lists, projects, features }: SourceContent) {
  const { tokens, addons: _addons, users, rootRoles: _rootRoles, ...others } = lists;
  const withoutAdmin = tokens.filter(({ type }) => type !== 'admin').map(({ seenAt: _seenAt, ...token }) => token);
  const volatile = ['lastUpdatedAt', 'updatedAt', 'stats', 'archivedAt', 'createdAt', 'addedAt', 'joinedAt', 'seenAt'];
  const settled = JSON.stringify({ ...others, users, projects }, (key, value) => {
    // Who made somebody a member of a group is who migrates it.
    if (Object(value).joinedAt !== undefined) return { user: value.user };
    return volatile.includes(key) ? undefined : value;
  });
  return { features, tokens: withoutAdmin, others: JSON.parse(settled) };
}

describe('a migration', () => {
  test('brings everything over that the API shows, and leaves a store without contradictions', async () => {
    const table = await emptyStore();
    const outcome = await write(table, monday);
    expect(outcome.flatMap(({ refused }) => refused)).toEqual([
      { name: 'admin', reason: expect.stringContaining('admin tokens do not move') },
    ]);
    await expectMoved(table, monday);
  });

  test('writes nothing when it is run again, nor when it only plans', async () => {
    const table = await emptyStore();
    const before = await snapshot(table);
    const plan = await runMigration(table, monday as SourceContent, { from, isWriting: false });
    expect(await snapshot(table)).toEqual(before);
    const outcome = await write(table, monday);
    expect(outcome).toEqual(plan);
    const after = await snapshot(table);
    const again = await write(table, monday);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
    expect(await snapshot(table)).toEqual(after);
  });

  test('moves on Tuesday what has changed since Monday, and nothing else', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const outcome = await write(table, tuesday);
    const moved = outcome.flatMap(({ kind, created, changed }) =>
      created.length + changed.length === 0 ? [] : [[kind, created, changed]],
    );
    expect(moved).toEqual([
      ['users', [], ['alice']],
      ['tags', ['simple:ops'], []],
      ['segments', [], ['swiss']],
      ['flags', ['fresh'], ['cart', 'parent']],
      ['deleted flags', [], ['old']],
      ['SDK tokens', ['late'], []],
      ['events of the past', ['user-updated', 'segment-updated', 'tag-created', 'api-token-created'], []],
    ]);
    await expectMoved(table, tuesday);
  });

  test('reads on from what it has read as if it read all again', () => {
    expect({ ...followed, missing: [] }).toEqual({ ...tuesday, missing: [] });
  });

  test.each([1, 3, 8, 14, 20, 26])(
    'completes when it is run again after its store failed from transaction %i on',
    async (after) => {
      const table = await emptyStore();
      const fault = { request: 'TransactWriteItems', failure: 'server error', times: 1_000, after } as const;
      const [cut] = await withFault(table, fault, () => write(table, monday).catch(() => 'cut'));
      expect(cut).toBe('cut');
      await write(table, monday);
      await expectMoved(table, monday);
    },
  );
});
