import { describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import {
  assertNewProjectId,
  buildEnvironmentEvent,
  loadAllProjects,
  newProject,
  type Project,
  type ProjectEnvironment,
  projectEnvironmentOf,
  projects,
  requireActive,
  requireEnvironment,
  requireProject,
  withEnvironment,
  withoutEnvironment,
} from '../../../lib/projects/projects.ts';
import { freshTable } from '../../harness/table.ts';

function environment(name: string, sortOrder: number): ProjectEnvironment {
  return { name, type: 'production', sortOrder };
}

const project: Project = {
  ...newProject,
  id: 'shop',
  name: 'Shop',
  createdAt: '2026-01-01T00:00:00.000Z',
  environments: [environment('b', 1), environment('d', 2)],
};
const at = '2026-01-01T00:00:00.000Z';
const namesOf = ({ environments }: Project) => environments.map(({ name }) => name).join('');

describe('A project', () => {
  test('has its own environments and no others', () => {
    expect(projectEnvironmentOf(project, 'd')).toBe(project.environments[1]);
    expect(projectEnvironmentOf(project, 'a')).toBeUndefined();
  });

  test.each([
    [environment('c', 0), 'cbd'],
    [environment('a', 1), 'abd'],
    [environment('c', 1), 'bcd'],
    [environment('c', 2), 'bcd'],
    [environment('e', 2), 'bde'],
    [environment('a', 3), 'bda'],
  ])('sorts a new environment by order, then by name: %j', (added, expected) => {
    const after = withEnvironment(project, added);
    expect(namesOf(after)).toBe(expected);
    expect(projectEnvironmentOf(after, added.name)).toEqual(added);
    expect({ ...after, environments: [] }).toEqual({ ...project, environments: [] });
    expect(namesOf(project)).toBe('bd');
  });

  test('keeps the other environments when one is removed', () => {
    expect(namesOf(withoutEnvironment(project, 'b'))).toBe('d');
    expect(withoutEnvironment(project, 'a')).toEqual(project);
  });

  test('is required to have an environment, and not to be archived', () => {
    expect(requireEnvironment(project, 'd')).toBe(project.environments[1]);
    expect(() => requireEnvironment(project, 'a')).toThrow(
      expect.objectContaining({ name: 'NotFoundError', message: expect.stringMatching(/project "shop" named.*"a"/) }),
    );
    expect(requireActive(project)).toBe(project);
    expect(() => requireActive({ ...project, archivedAt: at })).toThrow(
      expect.objectContaining({ name: 'NotFoundError', message: 'The project "shop" is archived; revive it first.' }),
    );
  });
});

describe('The events of a project', () => {
  const typesOf = (before: Partial<Project>, after: Partial<Project>) =>
    projects
      .buildUpdateEffects({ value: { ...project, ...before }, version: 1 }, { ...project, ...after })
      .events.map(({ type }) => type);

  test('have a type for creation, update, archival, revival and deletion', () => {
    expect(typesOf({}, { name: 'Store' })).toEqual(['project-updated']);
    expect(typesOf({}, { archivedAt: at })).toEqual(['project-archived']);
    expect(typesOf({ archivedAt: at }, {})).toEqual(['project-revived']);
    expect(typesOf({ archivedAt: at }, { archivedAt: at, name: 'Store' })).toEqual(['project-updated']);
    expect(typesOf({}, {})).toEqual([]);
    expect(buildEnvironmentEvent('shop', 'b')).toEqual({
      ...{ type: 'project-environment-added', project: 'shop', environment: 'b' },
    });
  });

  test('show settings and names of environments, without times', () => {
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...shown } = project;
    expect(projects.buildCreationEffects(project, at).events).toMatchObject([
      { type: 'project-created', project: 'shop', data: { ...shown, environments: ['b', 'd'] } },
    ]);
    const [event] = projects.buildCreationEffects(project, at).events;
    expect(event?.data).not.toHaveProperty('createdAt');
    expect(event?.data).not.toHaveProperty('updatedAt');
  });
});

test('The id of a new project must be free, also among hidden projects', async () => {
  const table = await freshTable();
  await projects.create(table, systemUser, () => project);
  await assertNewProjectId(table, 'office');
  for (const caller of [table, { ...table, hiddenProjects: new Set(['shop']) }]) {
    await expect(assertNewProjectId(caller, 'shop')).rejects.toMatchObject({
      ...{ name: 'ValidationError', details: [{ path: 'id', message: 'There is already a project "shop".' }] },
    });
  }
});

test('A hidden project is not listed, and is unknown to requests that name it', async () => {
  const table = await freshTable();
  await projects.create(table, systemUser, () => project);
  for (const id of ['shop', null, undefined]) await expect(requireProject(table, id)).resolves.toBeUndefined();
  const hidden = { ...table, hiddenProjects: new Set(['shop']) };
  const idsFor = async (caller: typeof table) => (await loadAllProjects(caller)).map(({ value }) => value.id);
  expect([await idsFor(table), await idsFor(hidden)]).toEqual([['shop'], []]);
  await expect(requireProject(hidden, 'shop')).rejects.toThrow('There is no project "shop".');
  for (const id of ['office', '', 'x'.repeat(3_000)])
    await expect(requireProject(table, id)).rejects.toMatchObject({ name: 'NotFoundError' });
});
