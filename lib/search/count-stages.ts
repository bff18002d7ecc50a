import type { StageCounts } from '../features/feature-list-schema.ts';
import { loadReadModels } from '../features/read-model/read-model.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';

/** Counts the features of all projects by lifecycle stage, also archived ones. */
export async function countStages(request: Request): Promise<StageCounts> {
  const readModels = await loadReadModels(request, await listProjectIds(request));
  const counts = { initial: 0, preLive: 0, live: 0, completed: 0, archived: 0 };
  for (const { features } of readModels) {
    for (const { feature } of features.values()) {
      const { stage } = feature.lifecycle;
      counts[stage === 'pre-live' ? 'preLive' : stage] += 1;
    }
  }
  return counts;
}
