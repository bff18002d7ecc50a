import type { FlagRequest } from '../../entity/effects.ts';
import { systemUser } from '../../events/actor.ts';
import { changeFeature } from '../../features/change-feature.ts';
import { loadFeature, loadHeadsAndTombstones } from '../../features/feature-store.ts';
import type { StoredFeature, Tombstone } from '../../features/items/feature-items.ts';
import * as featureKeys from '../../features/keys.ts';
import { planArchive } from '../../features/lifecycle/archive-feature.ts';
import { deleteFeature } from '../../features/lifecycle/delete-feature.ts';
import type { Request } from '../../request.ts';
import { chunksOf } from '../../values/lists.ts';
import { eventsAtOnce, featureStep } from './feature-kind.ts';
import { historyOf, historySteps, historyWrites, type ImportedEvent } from './history.ts';
import { administrator } from './people-kinds.ts';
import { buildRunStep, type KindDecision, type MigrationStep, type ServerKind } from './plan.ts';

/** Flags that are there no more. */
export const deletedFeatureKind: ServerKind = {
  title: 'deleted flags',
  decisions: async function* (migration) {
    const { ofFeature } = await historyOf(migration);
    for (const names of chunksOf(migration.source.copy.goneFeatures, 100)) {
      const gone = names.map((name) => [name, ofFeature(name)] as const).filter(([, events]) => events.length > 0);
      yield () => decideGone(migration.request, gone);
    }
  },
};

/**
 * Keeps the history of flags that were deleted, under their names, where nothing else has these. What has come over before
 * it was deleted there is deleted here, too.
 */
async function decideGone(
  request: Request,
  gone: readonly (readonly [string, readonly ImportedEvent[]])[],
): Promise<KindDecision> {
  const names = gone.map(([name]) => name);
  const [{ tombstones }, found] = await Promise.all([
    loadHeadsAndTombstones(request, names),
    Promise.all(names.map((name) => loadFeature(request, name))),
  ]);
  const steps = gone.map(([name, imported], index): MigrationStep[] => {
    const stored = found[index];
    if (stored !== undefined) return deletion(stored, imported);
    return goneSteps(name, imported, tombstones.get(name));
  });
  return { steps: steps.flat(), left: names.filter((_, index) => steps[index]?.length === 0) };
}

/** Returns the steps that keep the events which are not here yet; none where all are. */
function goneSteps(
  name: string,
  imported: readonly ImportedEvent[],
  tombstone: Tombstone | undefined,
): MigrationStep[] {
  const all = imported.map(({ event }) => event);
  const { lastEventId = 0, version = 0 } = tombstone ?? {};
  const since = all.filter(({ id }) => id > lastEventId);
  if (since.length === 0) return [];
  // What came when the flag was deleted while its server was read goes on; anything else here had the name before it.
  const isFirst = tombstone === undefined || all.some(({ id }) => id === lastEventId);
  const { writes } = historyWrites(name, isFirst ? all : since, isFirst);
  const project = all.findLast((event) => event.project !== null)?.project ?? 'default';
  const item = { deleted: true, project, version: version + 1, lastEventId: since.at(-1)?.id ?? 0 };
  const last: MigrationStep = {
    ...{ name, outcome: tombstone === undefined ? 'created' : 'changed', events: [] },
    writes: [{ put: featureKeys.feature(name), item, when: tombstone === undefined ? 'absent' : { version } }],
  };
  return [...historySteps(name, writes), last];
}

/** Returns the steps that delete a flag which has come over: what happened to it there comes first. */
function deletion(stored: StoredFeature, imported: readonly ImportedEvent[]): MigrationStep[] {
  const { name, project, archivedAt } = stored.feature;
  const { importedEventId } = stored.own;
  const since = imported.filter(({ sourceId }) => importedEventId !== undefined && sourceId > importedEventId);
  const last = since.at(-1);
  if (last?.event.type !== 'feature-deleted') return [];
  const { outcome: _outcome, ...past } = featureStep(
    'changed',
    { stored, attributes: { importedEventId: last.sourceId }, after: stored.feature },
    [],
    since.slice(-eventsAtOnce),
  );
  const run = async (request: FlagRequest) => {
    const place = { projectId: project, featureName: name };
    if (archivedAt === null) await changeFeature(request, systemUser, planArchive(request, place));
    await deleteFeature(request, administrator, name);
  };
  return [past, buildRunStep(run, name)];
}
