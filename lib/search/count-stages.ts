import { listProjectIds } from '../projects/projects.ts';
import type { StageCounts } from '../schemas/feature-list.ts';
import { shelvesOf } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';

/** How many features of all projects are in each stage of their life, archived ones included. */
export async function countStages(table: Table): Promise<StageCounts> {
  const shelves = await shelvesOf(table, await listProjectIds(table));
  const counts = { initial: 0, preLive: 0, live: 0, completed: 0, archived: 0 };
  for (const { features } of shelves) {
    for (const { feature } of features.values()) {
      const { stage } = feature.lifecycle;
      counts[stage === 'pre-live' ? 'preLive' : stage] += 1;
    }
  }
  return counts;
}
