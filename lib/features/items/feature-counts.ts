import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll } from '../../store/read.ts';
import { changedAt } from './shelf-items.ts';

/** How many features a project has, live ones but for `archived`. */
export interface FeatureCounts {
  readonly live: number;
  readonly archived: number;
  readonly stale: number;
  /** By type. */
  readonly types: ReadonlyMap<string, number>;
  /** How many are on, by environment. */
  readonly on: ReadonlyMap<string, number>;
  /** When one of them was last changed, or null where that was before this was kept, and where there was none. */
  readonly changedAt: string | null;
}

/** What a project counts of its features, as of a moment of this call; it costs the same for any number of features. */
export async function loadFeatureCounts(request: Request, project: string): Promise<FeatureCounts> {
  const totals = new Map<string, number>();
  const times: string[] = [];
  const marks = await queryAll<Key & { readonly [changedAt]?: string }>(request, partitions.marks(project));
  for (const { pk: _pk, sk: _sk, [changedAt]: time, ...amounts } of marks) {
    for (const [name, amount] of Object.entries(amounts)) totals.set(name, (totals.get(name) ?? 0) + Number(amount));
    if (time !== undefined) times.push(time);
  }
  const total = (name: string) => totals.get(name) ?? 0;
  return {
    live: total('live'),
    archived: total('archived'),
    stale: total('stale'),
    types: under(totals, 'type:'),
    on: under(totals, 'on:'),
    changedAt: times.toSorted().at(-1) ?? null,
  };
}

function under(totals: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  return new Map(
    [...totals]
      .filter(([name, amount]) => name.startsWith(prefix) && amount !== 0)
      .map(([name, amount]) => [name.slice(prefix.length), amount]),
  );
}
