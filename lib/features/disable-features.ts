import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { stamp } from '../events/event.ts';
import { sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { loadProject, requireEnvironment } from '../projects/projects.ts';
import { keys } from '../table/keys.ts';
import { LostRace } from '../table/lost-race.ts';
import type { Unit } from '../table/pack.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { chunksOf } from './chunks.ts';
import { commitPacks, commitTogether, finishedUnits, packChanges, unitOf, WriteBudget } from './commit-features.ts';
import { featureSwitched } from './feature-events.ts';
import { type FeatureHead, tagsFrom } from './feature-items.ts';
import { loadHeads, loadParts } from './feature-store.ts';
import { switchWrites } from './feature-writes.ts';
import { isUpToDate, migrateFeature } from './migrate-feature.ts';
import { requireLiveHead } from './require-feature.ts';

interface Place {
  readonly projectId: string;
  readonly environment: string;
}

/** A request on more takes seconds; several of them can be sent side by side. */
const featuresMax = 5_000;
/** How many features are looked at together. */
const chunkSize = 100;

/**
 * Switches features off in an environment. The whole list is checked before anything is written; some 30 features make
 * one transaction, more of them several. Cut off and sent again, it completes.
 * @throws ApiError 404 for an unknown project or environment, and for the first feature that is unknown, archived or of
 * another project; 400 for more than one request may write.
 */
export async function disableFeatures(
  table: Table,
  actor: Actor,
  place: Place,
  featureNames: readonly string[],
): Promise<void> {
  const names = [...new Set(featureNames)];
  if (names.length > featuresMax) throw invalid(`A request may name at most ${featuresMax} features.`, 'features');
  await retrySerially(table, names.map(keys.feature), async () => {
    const [project, ids, first] = await Promise.all([
      loadProject(table, place.projectId),
      takeEventIds(table, names.length),
      loadHeads(table, names.slice(0, chunkSize)),
    ]);
    requireEnvironment(project, place.environment);
    const heads = await liveHeads(table, place.projectId, names, first);
    const finished = await finishedUnits(table);
    const enabled = heads.filter(
      ({ name, revision }) => revision.summaries.get(place.environment)?.enabled && !finished.has(unitOf(name)),
    );
    if (enabled.length === 0) return;

    const lastEventId = Math.max(...enabled.map(({ revision }) => revision.lastEventId));
    const { first: firstId } = await sufficientEventIds(table, ids, enabled.length, lastEventId);
    const units = await switchedOff(table, actor, place.environment, enabled, firstId);
    const [pack = [], ...more] = packChanges(units);
    await (more.length === 0 ? commitTogether(table, pack) : commitPacks(table, [pack, ...more]));
  });
}

/**
 * Looks at three times as many features as before each time, so that a list costs little where its first unknown name
 * comes early, and takes few waits where there is none.
 * @throws ApiError 404 for the first that is not a live feature of the project.
 */
async function liveHeads(
  table: Table,
  projectId: string,
  names: readonly string[],
  first: ReadonlyMap<string, FeatureHead>,
): Promise<FeatureHead[]> {
  const heads: FeatureHead[] = [];
  let found = first;
  for (let from = 0, size = chunkSize; from < names.length; from += size, size = 3 * from) {
    const chunk = names.slice(from, from + size);
    if (from > 0) found = await loadHeads(table, chunk);
    heads.push(...chunk.map((name) => requireLiveHead(found.get(name), name, projectId)));
  }
  const outdated = heads.filter((head) => !isUpToDate(head));
  if (outdated.length === 0) return heads;
  await Promise.all(outdated.map(({ name }) => table.limiter(() => migrateFeature(table, name))));
  throw new LostRace();
}

/** The units that switch features off, one by one, so that no more is in memory than may be written. */
async function switchedOff(
  table: Table,
  actor: Actor,
  environment: string,
  heads: readonly FeatureHead[],
  firstId: number,
): Promise<Unit[]> {
  const at = new Date().toISOString();
  const budget = new WriteBudget(heads.length);
  const units: Unit[] = [];
  for (const chunk of chunksOf(heads, chunkSize)) {
    const parts = await Promise.all(chunk.map((head) => loadParts(table, head, ['tags'])));
    for (const [index, head] of chunk.entries()) {
      const tags = tagsFrom(head.own, parts[index]?.get('tags'));
      const events = stamp([featureSwitched(head, environment, false)], firstId + units.length, actor, at);
      const writes = switchWrites(head, tags, { environment, enabled: false }, events);
      budget.spend(writes);
      units.push({ what: unitOf(head.name), writes });
    }
  }
  return units;
}
