import type { EnvironmentItem } from '../../environments/environment.ts';
import { environmentOf, type Project, projectItem, withEnvironment } from '../../projects/project.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing } from './missing.ts';

export function missingProjects(
  state: SeedState,
  data: SeedData,
  environments: ReadonlyMap<string, EnvironmentItem>,
  at: string,
): Addition[] {
  return data.projects.flatMap((entry, index) => {
    const path = `projects.${index}`;
    const existing = state.projects.get(entry.id);
    if (existing !== undefined) return missingProjectEnvironments(existing, entry.environments, environments, path);
    const { id, name = id, description, defaultStickiness } = entry;
    const bare = {
      id,
      name,
      description: description ?? '',
      defaultStickiness,
      createdAt: at,
      environments: [],
      version: 1,
    };
    const project = entry.environments.reduce<Project>((grown, each) => grownBy(grown, each, environments), bare);
    const shown = { id, name, description: bare.description, defaultStickiness, environments: entry.environments };
    const addition: Addition = {
      kind: 'project',
      name: id,
      path,
      writes: [{ put: keys.project(id), item: { ...projectItem(project) }, when: 'absent' }],
      event: { type: 'project-created', project: id, data: shown },
      usedEnvironments: entry.environments,
    };
    return [addition];
  });
}

/** An addition for each environment, since each has an event of its own. */
function missingProjectEnvironments(
  existing: Project,
  names: readonly string[],
  environments: ReadonlyMap<string, EnvironmentItem>,
  path: string,
): Addition[] {
  let project = existing;
  return missing(names, (name) => environmentOf(existing, name) !== undefined).map(({ entry: environment, index }) => {
    const { version } = project;
    project = { ...grownBy(project, environment, environments), version: version + 1 };
    return {
      kind: `environment of the project ${project.id}`,
      name: environment,
      path: `${path}.environments.${index}`,
      writes: [{ put: keys.project(project.id), item: { ...projectItem(project) }, when: { version } }],
      event: { type: 'project-environment-added', project: project.id, environment },
      usedEnvironments: [environment],
    };
  });
}

function grownBy(project: Project, name: string, environments: ReadonlyMap<string, EnvironmentItem>): Project {
  const environment = environments.get(name);
  if (environment === undefined) return project;
  const { type, sortOrder } = environment;
  return withEnvironment(project, { name, type, sortOrder, changeRequestsEnabled: false });
}
