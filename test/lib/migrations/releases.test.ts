import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { version } from '../../../lib/http/version.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import type { Request } from '../../../lib/request.ts';
import { fillWith, readReleaseStore, recordedReleases } from '../../fixtures/release-store.ts';
import { invoke } from '../../harness/gateway.ts';
import { contentOf } from '../../harness/items.ts';
import { freshTable } from '../../harness/table.ts';
import { problemsOf } from '../../invariants/problems.ts';

test('This release has kept a store for later ones', () => {
  expect(recordedReleases(), 'run "npm run generate -- --release"').toContain(version);
});

describe.each(recordedReleases())('A store of release %s', (release) => {
  const stored = readReleaseStore(release);
  let table: Request;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: stored.at });
    table = await freshTable();
    await fillWith(table, stored);
    await prepareStore(table, { adminTokens: [] });
  });
  afterAll(() => void vi.useRealTimers());

  test.each(stored.reads)('is read by $operationId as that release read it', async (read) => {
    const headers = { authorization: stored.adminToken, ...read.headers };
    const { answer } = await invoke({ ...read, headers });
    // A later release may say more, says of integrations that they send, and has one more role of its own.
    const { providers: _providers, ...reply } = (read.reply ?? {}) as { readonly providers?: unknown };
    const body = withoutNewRoles(answer.body);
    expect({ ...answer, body }).toMatchObject({
      status: 200,
      body: read.operationId === 'getAddons' ? reply : read.reply,
    });
  });

  test('holds nothing that contradicts the rest of it', async () => {
    expect(problemsOf(await contentOf(table))).toEqual([]);
  });
});

/** Returns a reply without the roles that came with a later release. */
function withoutNewRoles<T>(body: T): T {
  const { roles } = (body ?? {}) as { readonly roles?: unknown };
  if (!Array.isArray(roles)) return body;
  return { ...body, roles: roles.filter((role) => role.name !== 'Approver') };
}
