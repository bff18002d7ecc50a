import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { countsOf, type EnvironmentCounts } from './environment-counts.ts';

/** Where features are switched on and off, e.g. production. */
export interface Environment {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly protected: boolean;
  readonly sortOrder: number;
}

export const environments = entity<Environment, string>({
  kind: 'environment',
  idOf: ({ name }) => name,
  keyOf: keys.environment,
  partitions: [{ ...partitions.environments(), prefix: 'ENVIRONMENT#' }],
  codec: codec<Environment>({}),
  events: { created: 'environment-created', updated: 'environment-updated', deleted: 'environment-deleted' },
  shown: (environment) => environment,
  environmentOf: ({ name }) => name,
});

/** All environments with their counts, in their order, from one consistent read. */
export async function listEnvironments(table: Table): Promise<(Environment & EnvironmentCounts)[]> {
  const items = await queryAll<Key>(table, partitions.environments());
  const shards = items.filter(({ sk }) => sk.startsWith('COUNTS#')) as unknown as Record<string, unknown>[];
  return environments
    .among(items)
    .toSorted(inOrder)
    .map(({ name, type, sortOrder, enabled, protected: isProtected }) => ({
      name,
      type,
      sortOrder,
      enabled,
      protected: isProtected,
      ...countsOf(name, shards),
    }));
}

/** The order of lists of environments. */
export function inOrder(
  a: Pick<Environment, 'sortOrder' | 'name'>,
  b: Pick<Environment, 'sortOrder' | 'name'>,
): number {
  return a.sortOrder - b.sortOrder || a.name.localeCompare(b.name);
}
