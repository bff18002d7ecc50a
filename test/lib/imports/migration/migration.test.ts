import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runMigration } from '../../../../lib/imports/migration/run.ts';
import { readSource, type SourceContent } from '../../../../lib/imports/migration/source.ts';
import { prepareStore } from '../../../../lib/imports/seed/fresh-store.ts';
import type { Request } from '../../../../lib/request.ts';
import { contentOf, snapshot } from '../../../harness/items.ts';
import { freshService, serviceOn } from '../../../harness/service.ts';
import { freshTable } from '../../../harness/table.ts';
import { problemsOf } from '../../../invariants/problems.ts';
import { fillSource, getFrom } from './filled-source.ts';

const from = 'https://unleash.example.com/';
let source: SourceContent;
beforeAll(async () => {
  // As on an open-source server, lists show the secrets.
  process.env.READABLE_CLIENT_TOKENS = 'true';
  const service = await freshService();
  await fillSource(service);
  source = await readSource(getFrom(service));
});
afterAll(() => {
  delete process.env.READABLE_CLIENT_TOKENS;
});

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
    const outcome = await runMigration(table, source, { from, isWriting: true });
    expect(outcome.flatMap(({ refused }) => refused)).toEqual([
      { name: 'admin', reason: expect.stringContaining('admin tokens do not move') },
    ]);
    expect(problemsOf(await contentOf(table))).toEqual([]);
    const moved = await readSource(getFrom(await serviceOn(table)));
    expect(comparable(moved)).toEqual(comparable(source));
  });

  test('writes nothing when it is run again, nor when it only plans', async () => {
    const table = await emptyStore();
    const before = await snapshot(table);
    const plan = await runMigration(table, source, { from, isWriting: false });
    expect(await snapshot(table)).toEqual(before);
    const outcome = await runMigration(table, source, { from, isWriting: true });
    expect(outcome).toEqual(plan);
    const after = await snapshot(table);
    const again = await runMigration(table, source, { from, isWriting: true });
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
    expect(await snapshot(table)).toEqual(after);
  });
});
