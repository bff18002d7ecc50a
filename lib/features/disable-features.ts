import type { Actor } from '../events/actor.ts';
import { sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { loadProject, requireEnvironment } from '../projects/projects.ts';
import { keys } from '../table/keys.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { commitPacks, commitTogether, featureUnits, finishedUnits, packCounted, unitOf } from './commit-features.ts';
import { environmentOfFeature, withFeatureEnvironment } from './feature.ts';
import type { FeatureChange } from './feature-change.ts';
import { featureSwitched } from './feature-events.ts';
import type { StoredFeature } from './feature-items.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';

/**
 * Switches features off in an environment. The whole list is checked before anything is written; some 30 features make
 * one transaction, more of them several. Cut off and sent again, it completes.
 * @throws ApiError 404 for an unknown project or environment, and for the first feature that is unknown, archived or of
 * another project.
 */
export async function disableFeatures(
  table: Table,
  actor: Actor,
  { projectId, environment }: { projectId: string; environment: string },
  featureNames: readonly string[],
): Promise<void> {
  const names = [...new Set(featureNames)];
  await retrySerially(table, names.map(keys.feature), async () => {
    const [project, ids, ...found] = await Promise.all([
      loadProject(table, projectId),
      takeEventIds(table, names.length),
      ...names.map((name) => loadFeatureIn(table, name, [environment])),
    ]);
    requireEnvironment(project, environment);
    const finished = await finishedUnits(table);
    const stored = names.flatMap((name, index) =>
      finished.has(unitOf(name)) ? [] : [requireLive(requireFeature(found[index], name, projectId))],
    );
    const changes = stored.flatMap((each) => disabled(each, environment));
    if (changes.length === 0) return;

    const lastEventId = Math.max(...changes.map((change) => change.stored?.revision.lastEventId ?? 0));
    const { first } = await sufficientEventIds(table, ids, changes.length, lastEventId);
    const [pack = [], ...more] = packCounted(featureUnits(changes, first, actor));
    await (more.length === 0 ? commitTogether(table, pack) : commitPacks(table, [pack, ...more]));
  });
}

function disabled(stored: StoredFeature, environment: string): FeatureChange[] {
  const state = environmentOfFeature(stored.feature, environment);
  if (!state.enabled) return [];
  const after = withFeatureEnvironment(stored.feature, environment, { ...state, enabled: false });
  return [{ stored, after, events: [featureSwitched(after, environment, false)] }];
}
