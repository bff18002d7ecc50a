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
import { buildFeatureStep, eventsAtOnce } from './feature-kind.ts';
import { assignEventIds, buildHistorySteps, buildHistoryWrites, type ImportedEvent } from './history.ts';
import { administrator } from './people-kinds.ts';
import { buildRunStep, type KindDecision, type MigrationStep, type ServerKind } from './plan.ts';

/** Flags that the server has deleted. */
export const deletedFeatureKind: ServerKind = {
  title: 'deleted flags',
  decisions: async function* (migration) {
    const { ofFeature } = await assignEventIds(migration);
    for (const names of chunksOf(migration.source.copy.deletedFeatures, 100)) {
      const deleted = names.map((name) => [name, ofFeature(name)] as const).filter(([, events]) => events.length > 0);
      yield () => decide(migration.request, deleted);
    }
  },
};

/**
 * Decides about flags that the server has deleted: their history is imported if no flag has their name here, and a flag that
 * was imported before its deletion is deleted here, too.
 */
async function decide(
  request: Request,
  deleted: readonly (readonly [string, readonly ImportedEvent[]])[],
): Promise<KindDecision> {
  const names = deleted.map(([name]) => name);
  const [{ tombstones }, storedFeatures] = await Promise.all([
    loadHeadsAndTombstones(request, names),
    Promise.all(names.map((name) => loadFeature(request, name))),
  ]);
  const steps = deleted.map(([name, imported], index): MigrationStep[] => {
    const stored = storedFeatures[index];
    if (stored !== undefined) return buildDeletion(stored, imported);
    return buildHistory(name, imported, tombstones.get(name));
  });
  return { steps: steps.flat(), unchanged: names.filter((_, index) => steps[index]?.length === 0) };
}

/** Builds the steps that import the events which are not here yet. */
function buildHistory(
  name: string,
  imported: readonly ImportedEvent[],
  tombstone: Tombstone | undefined,
): MigrationStep[] {
  const all = imported.map(({ event }) => event);
  const { lastEventId = 0, version = 0 } = tombstone ?? {};
  const since = all.filter(({ id }) => id > lastEventId);
  if (since.length === 0) return [];
  // The tombstone may come from an earlier import of the same flag; any other one is of an earlier flag with the name.
  const isFirst = tombstone === undefined || all.some(({ id }) => id === lastEventId);
  const { writes } = buildHistoryWrites(name, isFirst ? all : since, isFirst);
  const project = all.findLast((event) => event.project !== null)?.project ?? 'default';
  const item = { deleted: true, project, version: version + 1, lastEventId: since.at(-1)?.id ?? 0 };
  const last: MigrationStep = {
    ...{ name, outcome: tombstone === undefined ? 'created' : 'changed', events: [] },
    writes: [{ put: featureKeys.feature(name), item, when: tombstone === undefined ? 'absent' : { version } }],
  };
  return [...buildHistorySteps(name, writes), last];
}

/** Builds the steps that delete an imported flag, after the import of its last events. */
function buildDeletion(stored: StoredFeature, imported: readonly ImportedEvent[]): MigrationStep[] {
  const { name, project, archivedAt } = stored.feature;
  const { importedEventId } = stored.own;
  const since = imported.filter(({ sourceId }) => importedEventId !== undefined && sourceId > importedEventId);
  const last = since.at(-1);
  if (last?.event.type !== 'feature-deleted') return [];
  const { outcome: _outcome, ...past } = buildFeatureStep(
    'changed',
    { stored, attributes: { importedEventId: last.sourceId }, after: stored.feature },
    [],
    since.slice(-eventsAtOnce),
  );
  const run = async (request: FlagRequest) => {
    const path = { projectId: project, featureName: name };
    if (archivedAt === null) await changeFeature(request, systemUser, planArchive(request, path));
    await deleteFeature(request, administrator, name);
  };
  return [past, buildRunStep(run, name)];
}
