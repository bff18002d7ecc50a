import { beforeAll, describe, expect, test } from 'vitest';
import { identify } from '../../../lib/identity/caller.ts';
import { buildRights } from '../../../lib/identity/permissions.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { listApiTokens } from '../../../lib/tokens/api-tokens.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { sharedTable } from '../../specifications/specify.ts';

const everything = {
  id: 1,
  name: 'ci',
  may: () => true,
  belongsTo: () => true,
  rights: buildRights([[{ name: 'ADMIN' }]], []),
};
const random = 'unleash-insecure-api-token';
const seed = readSeed({ environments: [{ name: 'eu.production' }], projects: [{ id: 'shop', environments: [] }] });

describe('SDK tokens of the settings', () => {
  const table = sharedTable();
  beforeAll(async () => {
    await prepareStore(table, { seed, adminTokens: [] });
  });
  const prepare = (
    clientTokens: readonly string[],
    frontendTokens: readonly string[] = [],
    backendTokens: readonly string[] = [],
  ) => prepareStore(table, { adminTokens: [], clientTokens, backendTokens, frontendTokens });

  test('have the project and environment that they state, even if a name contains dots', async () => {
    const [client, frontend] = [`shop:eu.production.${random}`, `*:development.${random}`];
    await prepare([client], [frontend]);
    expect(await identify(table, client)).toMatchObject({
      kind: 'client',
      name: 'admin',
      projects: ['shop'],
      environment: 'eu.production',
    });
    expect(await identify(table, frontend)).toMatchObject({ kind: 'frontend', projects: ['*'], secret: frontend });
  });

  test('are client tokens if they are called backend tokens, as lists show them', async () => {
    const backend = `*:production.${random}`;
    await nextMillisecond();
    await prepare([], [], [backend]);
    expect(await identify(table, backend)).toMatchObject({ kind: 'client' });
    expect((await listApiTokens(table, everything)).at(-1)).toMatchObject({
      type: 'backend',
      environment: 'production',
    });
    await expect(prepare([], [backend], [backend])).rejects.toMatchObject({ name: 'ValidationError' });
  });

  test('are added once by any number of processes, each with an event', async () => {
    const secrets = [1, 2].map(() => makeSecret({ projects: ['*'], environment: 'development' }));
    const before = (await serviceEvents(table)).length;
    const count = (await listApiTokens(table, everything)).length;
    await Promise.all([1, 2, 3].map(() => prepare(secrets)));
    expect((await serviceEvents(table)).length - before).toBe(2);
    expect((await listApiTokens(table, everything)).length - count).toBe(2);
  });

  test('are refused without being shown if they are invalid or of two kinds', async () => {
    const both = `*:development.${random}`;
    const refused = prepare(['user:abc', `[]:development.${random}`, both], [both]);
    await expect(refused).rejects.toMatchObject({
      details: ['Client token 1', 'Client token 2', 'Frontend token 1'].map((which) => ({
        message: expect.stringMatching(new RegExp(`^${which} is invalid: (?!.*insecure)`)),
      })),
    });
  });
});
