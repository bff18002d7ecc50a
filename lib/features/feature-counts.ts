import { partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** How many features a project has, live ones but for `archived`. */
export interface FeatureCounts {
  readonly live: number;
  readonly archived: number;
  readonly stale: number;
  /** By type. */
  readonly types: ReadonlyMap<string, number>;
  /** How many are on, by environment. */
  readonly on: ReadonlyMap<string, number>;
}

/** What a project counts of its features, as of a moment of this call; it costs the same for any number of features. */
export async function loadFeatureCounts(table: Table, project: string): Promise<FeatureCounts> {
  const totals = new Map<string, number>();
  for (const { pk: _pk, sk: _sk, ...amounts } of await queryAll<object & Record<string, unknown>>(
    table,
    partitions.marks(project),
  )) {
    for (const [name, amount] of Object.entries(amounts)) totals.set(name, (totals.get(name) ?? 0) + Number(amount));
  }
  const total = (name: string) => totals.get(name) ?? 0;
  return {
    live: total('live'),
    archived: total('archived'),
    stale: total('stale'),
    types: under(totals, 'type:'),
    on: under(totals, 'on:'),
  };
}

function under(totals: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  return new Map(
    [...totals]
      .filter(([name, amount]) => name.startsWith(prefix) && amount !== 0)
      .map(([name, amount]) => [name.slice(prefix.length), amount]),
  );
}
