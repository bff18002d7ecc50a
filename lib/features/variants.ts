import { loadProject, requireEnvironment } from '../projects/projects.ts';
import type { FeatureVariant } from '../schemas/variant.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { FeaturePlace } from './add-strategy.ts';
import { environmentOfFeature } from './feature.ts';
import { readFeatureIn } from './feature-store.ts';
import { requireFeature } from './require-feature.ts';

/**
 * The variants of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listVariants(
  table: Table,
  { projectId, featureName, environment }: FeaturePlace,
): Promise<Versioned<readonly FeatureVariant[]>> {
  const [project, found] = await Promise.all([
    loadProject(table, projectId),
    readFeatureIn(table, featureName, [environment]),
  ]);
  requireEnvironment(project, environment);
  const { feature, revision } = requireFeature(found, featureName, projectId);
  return { value: environmentOfFeature(feature, environment).variants, version: revision.version };
}
