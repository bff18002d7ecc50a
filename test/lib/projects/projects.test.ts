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
  test('has the environments that it was given, and no others', () => {
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
  ])('takes an environment in its place, by order and then by name: %j', (added, expected) => {
    const after = withEnvironment(project, added);
    expect(namesOf(after)).toBe(expected);
    expect(projectEnvironmentOf(after, added.name)).toEqual(added);
    expect({ ...after, environments: [] }).toEqual({ ...project, environments: [] });
    expect(namesOf(project)).toBe('bd');
  });

  test('lets an environment go, and keeps the others', () => {
    expect(namesOf(withoutEnvironment(project, 'b'))).toBe('d');
    expect(withoutEnvironment(project, 'a')).toEqual(project);
  });

  test('is needed with its environment, and as an active one', () => {
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
      .updated({ value: { ...project, ...before }, version: 1 }, { ...project, ...after })
      .events.map(({ type }) => type);

  test('say what has become of it', () => {
    expect(typesOf({}, { name: 'Store' })).toEqual(['project-updated']);
    expect(typesOf({}, { archivedAt: at })).toEqual(['project-archived']);
    expect(typesOf({ archivedAt: at }, {})).toEqual(['project-revived']);
    expect(typesOf({ archivedAt: at }, { archivedAt: at, name: 'Store' })).toEqual(['project-updated']);
    expect(typesOf({}, {})).toEqual([]);
    expect(buildEnvironmentEvent('shop', 'b')).toEqual({
      ...{ type: 'project-environment-added', project: 'shop', environment: 'b' },
    });
  });

  test('show its settings and the names of its environments, without times', () => {
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...shown } = project;
    expect(projects.created(project, at).events).toMatchObject([
      { type: 'project-created', project: 'shop', data: { ...shown, environments: ['b', 'd'] } },
    ]);
    const [event] = projects.created(project, at).events;
    expect(event?.data).not.toHaveProperty('createdAt');
    expect(event?.data).not.toHaveProperty('updatedAt');
  });
});

test('The id of a new project is none that there is, be it of one that the caller must not know of', async () => {
  const table = await freshTable();
  await projects.create(table, systemUser, () => project);
  await assertNewProjectId(table, 'office');
  for (const caller of [table, { ...table, hiddenProjects: new Set(['shop']) }]) {
    await expect(assertNewProjectId(caller, 'shop')).rejects.toMatchObject({
      ...{ name: 'ValidationError', details: [{ path: 'id', message: 'There is already a project "shop".' }] },
    });
  }
});

test('A project is listed, and a request may name it, where it is there and not hidden from its caller', async () => {
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
