import type { ErrorDetail } from '../errors.ts';
import type { SeedData } from './seed-data.ts';
import type { SeedState } from './seed-state.ts';

/** Addons write it where they mean every project or every environment. */
const everything = '*';

/** Every reason why a seed cannot be added to a store, with its place in the file. */
export function seedProblems(data: SeedData, state: SeedState): ErrorDetail[] {
  const environments = new Set([...data.environments.map(({ name }) => name), ...state.environments.keys()]);
  const projects = new Set([...data.projects.map(({ id }) => id), ...state.projects.keys()]);
  const users = new Set([...data.users.map(({ username }) => username), ...state.users.keys()]);
  const problems: ErrorDetail[] = [];
  const require = (known: ReadonlySet<string>, kind: string, name: string, path: string) => {
    if (known.has(name)) return;
    problems.push({ message: `There is no ${kind} "${name}", neither in the file nor in the store.`, path });
  };
  const requireAll = (known: ReadonlySet<string>, kind: string, names: readonly string[], path: string) => {
    for (const [index, name] of names.entries()) require(known, kind, name, `${path}.${index}`);
  };

  for (const [index, project] of data.projects.entries()) {
    requireAll(environments, 'environment', project.environments, `projects.${index}.environments`);
  }
  for (const [index, segment] of data.segments.entries()) {
    if (segment.project !== null) require(projects, 'project', segment.project, `segments.${index}.project`);
    problems.push(...takenSegmentId(segment, state, `segments.${index}.id`));
  }
  const orEverything = (known: ReadonlySet<string>) => new Set([...known, everything]);
  for (const [index, addon] of data.addons.entries()) {
    requireAll(orEverything(projects), 'project', addon.projects, `addons.${index}.projects`);
    requireAll(orEverything(environments), 'environment', addon.environments, `addons.${index}.environments`);
    problems.push(...takenAddonId(addon, state, `addons.${index}.id`));
  }
  for (const [index, group] of data.groups.entries()) {
    requireAll(users, 'user', group.users, `groups.${index}.users`);
    requireAll(projects, 'project', group.projects, `groups.${index}.projects`);
  }
  return problems;
}

function takenSegmentId({ id, name }: SeedData['segments'][number], state: SeedState, path: string): ErrorDetail[] {
  const bearer = id === undefined ? undefined : state.segments.get(id);
  if (bearer === undefined || bearer.name === name || state.segmentNames.has(name)) return [];
  return [{ message: `The id ${id} belongs to the segment "${bearer.name}".`, path }];
}

function takenAddonId({ id, provider }: SeedData['addons'][number], state: SeedState, path: string): ErrorDetail[] {
  const bearer = state.addons.find((addon) => addon.id === id);
  if (bearer === undefined || bearer.provider === provider) return [];
  return [{ message: `The id ${id} belongs to an addon of the provider "${bearer.provider}".`, path }];
}
