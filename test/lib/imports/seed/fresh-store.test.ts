import { describe, expect, test } from 'vitest';
import { listEnvironments } from '../../../../lib/environments/environments.ts';
import { identify } from '../../../../lib/identity/caller.ts';
import { listTokens } from '../../../../lib/identity/tokens/tokens.ts';
import { freshData } from '../../../../lib/imports/seed/fresh-data.ts';
import { prepareStore } from '../../../../lib/imports/seed/fresh-store.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import { addons } from '../../../../lib/integrations/addons.ts';
import { listAccess } from '../../../../lib/people/access-list.ts';
import { ensureUser } from '../../../../lib/people/ensure-user.ts';
import { loadProject } from '../../../../lib/projects/projects.ts';
import type { Request } from '../../../../lib/request.ts';
import { readItem } from '../../../../lib/store/read.ts';
import { strategyTypes } from '../../../../lib/strategy-types/strategy-types.ts';
import example from '../../../fixtures/seed.json' with { type: 'json' };
import { interceptRequests } from '../../../harness/intercept.ts';
import { serviceEvents } from '../../../harness/service-events.ts';
import { freshTable } from '../../../harness/table.ts';
import { tableForEach } from '../../../specifications/specify.ts';

const table = tableForEach();

const prepare = (adminTokens: string[] = []) => prepareStore(table, { adminTokens });

/** Lets an action fail after one of its transactions, as if the process ended there. */
async function cutOff<T>(request: Request, at: number, during: () => Promise<T>): Promise<T> {
  let transactions = 0;
  using _ = interceptRequests(request, async ({ operation }, next) => {
    transactions += operation === 'TransactWriteItems' ? 1 : 0;
    const answer = await next();
    if (transactions !== at) return answer;
    throw new Error('cut off');
  });
  return await during();
}

describe('a fresh store', () => {
  test('has an event of the service itself for each of its things', async () => {
    await prepare();
    const events = await serviceEvents(table);
    expect(events).toHaveLength(Object.values(freshData).flat().length);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(new Set(events.map(({ createdBy }) => createdBy))).toEqual(new Set(['unleash_system_user']));
  });

  test('receives a seed file together with the built-in content', async () => {
    expect(await prepareStore(table, { seed: readSeed(example), adminTokens: [] })).toBe(true);
    const project = await loadProject(table, 'default');
    expect(project).toMatchObject({ name: 'Default' });
    expect(project.environments.map(({ name }) => name)).toEqual(['development', 'production', 'staging']);
    const { users } = await listAccess(table);
    expect(users.map(({ id, username }) => [id, username])).toEqual([
      [1, 'admin'],
      [2, 'alice'],
      [3, 'bob'],
    ]);
  });

  test('keeps its built-in content if a seed file describes it differently', async () => {
    const file = {
      environments: [{ name: 'production', enabled: false, sortOrder: 50 }, { name: 'qa' }],
      projects: [{ id: 'default', name: 'Mine', environments: ['qa', 'default'] }],
      strategies: [{ name: 'default', description: 'Mine' }],
      users: [{ username: 'admin', rootRole: 'Viewer' }],
    };
    await prepareStore(table, { seed: readSeed(file), adminTokens: [] });
    const environments = await listEnvironments(table);
    expect(
      environments.map(({ name, sortOrder, enabled, projectCount }) => [name, sortOrder, enabled, projectCount]),
    ).toEqual([
      ['default', 1, false, 1],
      ['development', 2, true, 1],
      ['production', 3, true, 1],
      ['qa', 4, true, 1],
    ]);
    const project = await loadProject(table, 'default');
    expect(project.name).toBe('Default');
    expect(project.environments.map(({ name }) => name)).toEqual(['default', 'development', 'production', 'qa']);
    expect(await readItem(table, strategyTypes.keyOf('default'))).toMatchObject({ description: 'On for everybody.' });
    expect((await listAccess(table)).users).toEqual([expect.objectContaining({ id: 1, rootRole: 1 })]);
    const events = await serviceEvents(table);
    expect(events).toHaveLength(Object.values(freshData).flat().length + 3);
  });

  test('stays empty if the seed file has problems, and names all of them with their paths', async () => {
    const seed = readSeed({
      tagTypes: [{ name: 'team' }, { name: 5 }],
      projects: [{}, { id: 'b', environments: ['production', 'nowhere'] }],
    });
    const failure = prepareStore(table, { seed, adminTokens: ['*:*.ci'] });
    await expect(failure).rejects.toMatchObject({
      details: [{ path: 'projects.0.id' }, { path: 'tagTypes.1.name' }, { path: 'projects.1.environments.1' }],
    });
    expect(await serviceEvents(table)).toEqual([]);
    expect(await listEnvironments(table)).toEqual([]);
    expect(await listTokens(table)).toEqual([]);
  });
});

describe('a store that is in use', () => {
  test('stays unchanged, with or without a seed file', async () => {
    expect(await prepare()).toBe(true);
    const before = await serviceEvents(table);
    expect(await prepareStore(table, { seed: readSeed(example), adminTokens: [] })).toBe(false);
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('stays unchanged by a seed file with problems, of which only those are named that show without a store', async () => {
    await prepare();
    const before = await serviceEvents(table);
    const seed = readSeed({ projects: [{}, { id: 'b', environments: ['nowhere'] }] });
    const failure = prepareStore(table, { seed, adminTokens: ['*:*.ci'] });
    await expect(failure).rejects.toMatchObject({ details: [{ path: 'projects.0.id' }] });
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('is completed after an interruption between any two writes, with one event for each thing', async () => {
    const seed = readSeed({ ...example, addons: [...example.addons, { provider: 'slack', enabled: false }] });
    const stateOf = async (store: Request) => ({
      access: (await listAccess(store)).groups.map(({ name, userCount }) => [name, userCount]),
      addons: (await addons.list(store)).map(({ id, provider }) => [id, provider]),
      environments: (await listEnvironments(store)).map(({ name, projectCount }) => [name, projectCount]),
      events: (await serviceEvents(store)).map(({ type }) => type).toSorted(),
    });
    await prepareStore(table, { seed, adminTokens: [] });
    const whole = await stateOf(table);
    let isCutOff = true;
    let cut = 0;
    while (isCutOff) {
      cut += 1;
      const store = await freshTable();
      const preparation = cutOff(store, cut, () => prepareStore(store, { seed, adminTokens: [] }));
      isCutOff = await preparation.then(
        () => false,
        () => true,
      );
      await prepareStore(store, { seed, adminTokens: [] });
      expect(await stateOf(store), `cut ${cut}`).toEqual(whole);
    }
    expect(cut).toBeGreaterThan(3);
  });

  test('may have a user before its first content', async () => {
    await ensureUser(table, { username: 'alice' });
    await prepare();
    const { users } = await listAccess(table);
    expect(users.map(({ id, username }) => [id, username])).toEqual([
      [1, 'alice'],
      [2, 'admin'],
    ]);
  });

  test('has the same content after several concurrent preparations as after one', async () => {
    await Promise.all([1, 2, 3].map(() => prepare(['*:*.ci'])));
    const events = await serviceEvents(table);
    expect(events).toHaveLength(Object.values(freshData).flat().length + 1);
    const environments = await listEnvironments(table);
    expect(environments.map(({ projectCount }) => projectCount)).toEqual([0, 1, 1]);
  });
});

describe('the admin tokens of the settings', () => {
  test('are added if they are missing, and never removed', async () => {
    await prepare(['*:*.first']);
    await prepare(['*:*.second', '*:*.second']);
    expect(await identify(table, '*:*.first')).toMatchObject({ kind: 'admin', name: 'admin' });
    expect(await identify(table, '*:*.second')).toMatchObject({ kind: 'admin', name: 'admin' });
    const created = (await serviceEvents(table)).filter(({ type }) => type === 'api-token-created');
    expect(created).toHaveLength(2);
    expect(JSON.stringify(created)).not.toMatch(/first|second/);
  });

  test('are refused without being shown if they are invalid', async () => {
    const failure = await prepare(['*:*.good', 'user:secret', '*:*.']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ValidationError', details: [expect.anything(), expect.anything()] });
    expect(JSON.stringify(failure)).not.toContain('secret"');
    expect(await serviceEvents(table)).toEqual([]);
  });
});
