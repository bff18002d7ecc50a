import { loadProject, requireEnvironment } from '../projects/project-store.ts';
import type { FeatureVariant } from '../schemas/variant.ts';
import type { Table } from '../table/client.ts';
import type { FeaturePlace } from './add-strategy.ts';
import { environmentOfFeature } from './feature.ts';
import { requireFeature } from './feature-access.ts';
import { readFeatureIn } from './feature-store.ts';

/**
 * The variants of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listVariants(
  table: Table,
  { projectId, featureName, environment }: FeaturePlace,
): Promise<readonly FeatureVariant[]> {
  const [project, found] = await Promise.all([
    loadProject(table, projectId),
    readFeatureIn(table, featureName, [environment]),
  ]);
  requireEnvironment(project, environment);
  return environmentOfFeature(requireFeature(found, featureName, projectId).feature, environment).variants;
}
