import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { version } from '../../../lib/http/version.ts';
import { permissionTable } from '../../../lib/identity/permission-table.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import type { Request } from '../../../lib/request.ts';
import { fillWith, readReleaseStore, recordedReleases } from '../../fixtures/release-store.ts';
import { invoke } from '../../harness/gateway.ts';
import { contentOf } from '../../harness/items.ts';
import { freshTable } from '../../harness/table.ts';
import { problemsOf } from '../../invariants/problems.ts';

test('A store of this release is recorded for later releases', () => {
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
    // Later releases may add fields, and list more about the providers of integrations.
    const { providers: _providers, ...addons } = (read.reply ?? {}) as { readonly providers?: unknown };
    // The environment of a feature is named after the feature, as on Unleash.
    const { name: _environment, ...environment } = (read.reply ?? {}) as { readonly name?: unknown };
    // Stores of releases without templates get the first one.
    const templates = isDeepStrictEqual(read.reply, []) ? [{ id: 'progressive-rollout' }] : read.reply;
    const changed: Readonly<Record<string, unknown>> = {
      getAddons: addons,
      getFeatureEnvironment: environment,
      getReleasePlanTemplates: templates,
    };
    const reply = changed[read.operationId] ?? read.reply;
    expect({ ...answer, body: withoutOurs(answer.body) }).toMatchObject({ status: 200, body: withoutOurs(reply) });
  });

  test('contains no contradictions', async () => {
    expect(problemsOf(await contentOf(table))).toEqual([]);
  });
});

const ourPermissions = Object.values(permissionTable).flatMap((rows) => rows.filter(([id]) => id >= 1_000));
const ours: readonly unknown[] = ['Approver', ...ourPermissions.map(([, name]) => name)];

/**
 * Returns a reply without Flagstaff's own roles and permissions, of which a later release may have more, and without the ETag,
 * which differs between releases.
 */
function withoutOurs(reply: unknown): unknown {
  const without = (key: string, value: unknown) => {
    // Strategies in replies no longer name their feature, as on Unleash.
    if (key === 'etag' || key === 'featureName') return undefined;
    return Array.isArray(value) ? value.filter((entry) => !ours.includes(entry?.name)) : value;
  };
  return reply === undefined ? undefined : JSON.parse(JSON.stringify(reply), without);
}
