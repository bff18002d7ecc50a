import { describe, expect, test } from 'vitest';
import {
  environmentOf,
  newProject,
  type Project,
  type ProjectEnvironment,
  withEnvironment,
} from '../../../lib/projects/projects.ts';

function environment(name: string, sortOrder: number): ProjectEnvironment {
  return { name, type: 'production', sortOrder, changeRequestsEnabled: false };
}

const project: Project = {
  ...newProject,
  id: 'shop',
  name: 'Shop',
  createdAt: '2026-01-01T00:00:00.000Z',
  environments: [environment('b', 1), environment('d', 2)],
};
const namesOf = ({ environments }: Project) => environments.map(({ name }) => name).join('');

describe('A project', () => {
  test('has the environments that it was given, and no others', () => {
    expect(environmentOf(project, 'd')).toBe(project.environments[1]);
    expect(environmentOf(project, 'a')).toBeUndefined();
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
    expect(environmentOf(after, added.name)).toEqual(added);
    expect({ ...after, environments: [] }).toEqual({ ...project, environments: [] });
    expect(namesOf(project)).toBe('bd');
  });
});
