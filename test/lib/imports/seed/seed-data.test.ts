import { describe, expect, test } from 'vitest';
import { kinds } from '../../../../lib/imports/seed/kinds.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import example from '../../../fixtures/seed.json' with { type: 'json' };

function problemsOf(json: unknown) {
  return readSeed(json).problems;
}

/** Returns the entries of a seed by path. */
function entriesOf(json: unknown): Record<string, object> {
  return Object.fromEntries(readSeed(json).entries.map(({ path, entry }) => [path, entry]));
}

describe('a seed file', () => {
  test('may be empty, since every member is optional', () => {
    expect(readSeed({})).toEqual({ entries: [], problems: [], notes: [] });
    for (const member of Object.keys(kinds)) expect(problemsOf({ [member]: [] })).toEqual([]);
  });

  test('only needs what identifies each thing; everything else has defaults', () => {
    const seed = entriesOf({
      environments: [{ name: 'qa' }],
      projects: [{ id: 'shop' }],
      strategies: [{ name: 'own' }],
      segments: [{ name: 'some' }],
      addons: [{ provider: 'webhook' }],
      banners: [{ message: 'Maintenance' }],
      users: [{ username: 'alice' }],
      groups: [{ name: 'all' }],
    });
    expect(seed['environments.0']).toEqual({ name: 'qa', type: 'development' });
    expect(seed['projects.0']).toEqual({ id: 'shop' });
    expect(seed['users.0']).toMatchObject({ username: 'alice', rootRole: 3 });
    expect(seed['groups.0']).toMatchObject({ name: 'all', rootRole: null, users: [] });
    expect(seed['addons.0']).toMatchObject({ provider: 'webhook', enabled: true, parameters: {} });
    expect(seed['banners.0']).toEqual({ message: 'Maintenance', enabled: true, variant: 'info', sticky: false });
  });

  test('names a root role by its name or its id', () => {
    const users = ['Admin', 'Editor', 'Viewer', 1, 2, 3].map((rootRole, index) => ({
      username: `u${index}`,
      rootRole,
    }));
    expect(Object.values(entriesOf({ users }))).toMatchObject([1, 2, 3, 1, 2, 3].map((rootRole) => ({ rootRole })));
  });

  test('may have unknown properties; a note names unknown members, since these may be typos', () => {
    const json = { ...example, tagtypes: [], tagTypes: [{ name: 'team', colour: 'red' }] };
    expect(problemsOf(json)).toEqual([]);
    expect(readSeed(json).notes).toEqual(['the member "tagtypes" is unknown and was ignored.']);
    expect(readSeed(example).notes).toEqual([]);
    expect(readSeed([{}]).notes).toEqual([]);
  });

  test('keeps the valid properties of malformed entries that can be identified', () => {
    const entries = entriesOf({
      environments: [null, 'qa', { type: 'test' }, { name: 'qa', type: 'test', enabled: 'yes' }, { name: 'load' }],
      users: 'none',
    });
    expect(entries).toEqual({
      'environments.3': { name: 'qa', type: 'test' },
      'environments.4': { name: 'load', type: 'development' },
    });
  });

  test('has all its problems named with their paths', () => {
    const problems = problemsOf({
      environments: [{ name: 'a b' }, { name: 'qa', enabled: 'yes' }],
      projects: [{ name: 'without id' }, { id: 'shop', environments: ['qa', 'qa'] }],
      segments: [
        {
          name: 'some',
          constraints: [
            { contextName: 'x', operator: 'IN', values: [] },
            { contextName: 'x', operator: 'REGEX', value: '(' },
          ],
        },
        {
          name: 'hard',
          constraints: Array.from({ length: 7 }, (_, index) => ({
            ...{ contextName: 'x', operator: 'REGEX', value: `[ab]{${480 + index}}` },
          })),
        },
      ],
      users: [{ username: 'alice', rootRole: 'Owner' }, { username: ' ' }],
      groups: 'none',
    });
    expect(problems.map(({ path }) => path)).toEqual([
      'environments.0.name',
      'environments.1.enabled',
      'projects.0.id',
      'projects.1.environments',
      'segments.0.constraints.0',
      'segments.0.constraints.1',
      'segments.1.constraints',
      'users.0.rootRole',
      'users.1.username',
      'groups',
    ]);
  });

  test('must not name a thing twice', () => {
    const problems = problemsOf({
      environments: [{ name: 'qa' }, { name: 'qa' }],
      segments: [{ id: 1, name: 'a' }, { id: 1, name: 'b' }, { name: 'a' }],
      addons: [
        { provider: 'webhook' },
        { provider: 'webhook', description: null },
        { provider: 'webhook', description: 'x' },
      ],
    });
    expect(problems.map(({ path }) => path)).toEqual(['environments.1', 'segments.2', 'addons.1']);
  });

  test('has groups of at most 90 members, each of them listed once', () => {
    const users = Array.from({ length: 90 }, (_, index) => `user-${index}`);
    expect(problemsOf({ groups: [{ name: 'all', users }] })).toEqual([]);
    expect(problemsOf({ groups: [{ name: 'all', users: [...users, 'one'] }] })).toMatchObject([
      { path: 'groups.0.users' },
    ]);
    expect(problemsOf({ groups: [{ name: 'all', users: ['one', 'one'] }] })).toEqual([
      { path: 'groups.0.users', message: '"one" is listed twice.' },
    ]);
  });

  test('may describe several addons of a provider in the same way if they have ids, and users without e-mail addresses', () => {
    const users = [{ username: 'a' }, { username: 'b', email: null }, { username: 'c', email: 'c@example.com' }];
    expect(problemsOf({ addons: [1, 2].map((id) => ({ id, provider: 'webhook' })), users })).toEqual([]);
  });

  test.each([null, 7, 'text', [], [{}]])('that is %j is refused', (json) => {
    expect(problemsOf(json)).toHaveLength(1);
  });
});
