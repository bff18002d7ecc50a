import { type Key, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { EnvironmentCounts, EnvironmentItem } from './environment.ts';
import { countsOf } from './environment-counts.ts';

type Stored = Key & (EnvironmentItem | Record<string, unknown>);

/** All environments with their counts, in their order, from one consistent read. */
export async function listEnvironments(table: Table): Promise<(EnvironmentItem & EnvironmentCounts)[]> {
  const items = await queryAll<Stored>(table, partitions.environments());
  const shards = items.filter(({ sk }) => sk.startsWith('COUNTS#')) as Record<string, unknown>[];
  const environments = items.filter(({ sk }) => sk.startsWith('ENVIRONMENT#')) as EnvironmentItem[];
  return environments
    .toSorted((a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name))
    .map(({ name, type, sortOrder, enabled, protected: isProtected }) => ({
      name,
      type,
      sortOrder,
      enabled,
      protected: isProtected,
      ...countsOf(name, shards),
    }));
}
