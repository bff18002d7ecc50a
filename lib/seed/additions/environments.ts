import type { EnvironmentItem } from '../../environments/environment.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import { missing } from './missing.ts';

/** Adds to `environments`, so that projects find the new ones too. */
export function missingEnvironments(data: SeedData, environments: Map<string, EnvironmentItem>): Addition[] {
  const given = data.environments.flatMap(({ sortOrder }) => sortOrder ?? []);
  let highest = Math.max(0, ...given, ...[...environments.values()].map(({ sortOrder }) => sortOrder));
  return missing(data.environments, ({ name }) => environments.has(name)).map(({ entry, index }) => {
    if (entry.sortOrder === undefined) highest += 1;
    const item: EnvironmentItem = { ...entry, sortOrder: entry.sortOrder ?? highest };
    environments.set(item.name, item);
    return {
      kind: 'environment',
      name: item.name,
      path: `environments.${index}`,
      writes: [{ put: keys.environment(item.name), item: { ...item }, when: 'absent' }],
      event: { type: 'environment-created', environment: item.name, data: { ...item } },
    };
  });
}
