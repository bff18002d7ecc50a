import type { SeedData } from './seed-data.ts';

/**
 * A seed together with what comes first: where both describe the same thing, `first` does, and its projects have the
 * environments of both. Entries of `data` keep their places, by which problems name them.
 */
export function merged(first: SeedData, data: SeedData): SeedData {
  const byName = ({ name }: { readonly name: string }) => name;
  const projects = united(first.projects, data.projects, ({ id }) => id).map((project) => {
    const same = data.projects.find(({ id }) => id === project.id);
    return { ...project, environments: [...new Set([...(same?.environments ?? []), ...project.environments])] };
  });
  return {
    environments: united(first.environments, data.environments, byName),
    projects,
    contextFields: united(first.contextFields, data.contextFields, byName),
    tagTypes: united(first.tagTypes, data.tagTypes, byName),
    strategies: united(first.strategies, data.strategies, byName),
    segments: united(first.segments, data.segments, byName),
    addons: [...data.addons, ...first.addons],
    users: united(first.users, data.users, ({ username }) => username),
    groups: united(first.groups, data.groups, byName),
  };
}

function united<T>(first: readonly T[], entries: readonly T[], identity: (entry: T) => string): T[] {
  const wins = new Map(first.map((entry) => [identity(entry), entry]));
  const there = new Set(entries.map(identity));
  return [
    ...entries.map((entry) => wins.get(identity(entry)) ?? entry),
    ...first.filter((entry) => !there.has(identity(entry))),
  ];
}
