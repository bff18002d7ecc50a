import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { parseSeed, readSeed } from '../../../lib/seed/seed-data.ts';
import example from '../../fixtures/seed.json' with { type: 'json' };

function problemsOf(json: unknown) {
  try {
    readSeed(json);
  } catch (error) {
    if (error instanceof ApiError && error.name === 'ValidationError') return error.details;
    throw error;
  }
  return [];
}

describe('a seed file', () => {
  test('may be empty, since every member is optional', () => {
    expect(Object.values(readSeed({})).every((member) => Array.isArray(member) && member.length === 0)).toBe(true);
  });

  test('needs of each thing only what identifies it; the rest has defaults', () => {
    const seed = readSeed({
      environments: [{ name: 'qa' }],
      projects: [{ id: 'shop' }],
      strategies: [{ name: 'own' }],
      segments: [{ name: 'some' }],
      addons: [{ provider: 'webhook' }],
      users: [{ username: 'alice' }],
      groups: [{ name: 'all' }],
    });
    expect(seed.environments[0]).toEqual({ name: 'qa', type: 'development', enabled: true, protected: false });
    expect(seed.projects[0]).toEqual({ id: 'shop', description: '', defaultStickiness: 'default', environments: [] });
    expect(seed.users[0]).toMatchObject({ username: 'alice', rootRole: 3 });
    expect(seed.groups[0]).toMatchObject({ name: 'all', rootRole: null, users: [] });
    expect(seed.addons[0]).toMatchObject({ provider: 'webhook', enabled: true, parameters: {} });
  });

  test('names a root role by its name or its id', () => {
    const users = ['Admin', 'Editor', 'Viewer', 1, 2, 3].map((rootRole, index) => ({
      username: `u${index}`,
      rootRole,
    }));
    expect(readSeed({ users }).users.map(({ rootRole }) => rootRole)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('may hold properties that nobody knows; of unknown members there is a note, since they may be misspelt', () => {
    const json = { ...example, tagtypes: [], tagTypes: [{ name: 'team', colour: 'red' }] };
    expect(problemsOf(json)).toEqual([]);
    expect(parseSeed(json).notes).toEqual(['the member "tagtypes" is unknown and was ignored.']);
    expect(parseSeed(example).notes).toEqual([]);
    expect(parseSeed([{}]).notes).toEqual([]);
  });

  test('keeps of malformed entries what is well-formed, as long as something identifies them', () => {
    const { data } = parseSeed({
      environments: [null, 'qa', { type: 'test' }, { name: 'qa', type: 'test', enabled: 'yes' }, { name: 'load' }],
      users: 'none',
    });
    const defaults = { enabled: true, protected: false };
    expect(data.environments).toEqual([
      { name: 'qa', type: 'test', ...defaults },
      { name: 'load', type: 'development', ...defaults },
    ]);
    expect(data.users).toEqual([]);
  });

  test('has all its problems named, each with its place', () => {
    const problems = problemsOf({
      environments: [{ name: 'a b' }, { name: 'qa', enabled: 'yes' }],
      projects: [{ name: 'without id' }, { id: 'shop', environments: ['qa', 'qa'] }],
      segments: [{ name: 'some', constraints: [{ contextName: 'x', operator: 'IN', values: [] }] }],
      users: [{ username: 'alice', rootRole: 'Owner' }, { username: ' ' }],
      groups: 'none',
    });
    expect(problems.map(({ path }) => path)).toEqual([
      'environments.0.name',
      'environments.1.enabled',
      'projects.0.id',
      'projects.1.environments',
      'segments.0.constraints.0',
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
    expect(problems.map(({ path }) => path)).toEqual([
      'environments.1.name',
      'segments.1.id',
      'segments.2.name',
      'addons.1',
    ]);
  });

  test.each([null, 7, 'text', [], [{}]])('that is %j is refused', (json) => {
    expect(problemsOf(json)).toHaveLength(1);
  });
});
