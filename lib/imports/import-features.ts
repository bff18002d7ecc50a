import { invalidRequest, mapAll } from '../errors.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import {
  type CountedUnit,
  commitPacks,
  commitTogether,
  featureUnits,
  finishedUnits,
  packCounted,
  unitOf,
} from '../features/commit-features.ts';
import type { FeatureChange } from '../features/feature-change.ts';
import { requireEnvironment } from '../projects/projects.ts';
import type { ExportData, ImportData } from '../schemas/import-data.ts';
import { keys } from '../table/keys.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { Write } from '../table/write.ts';
import { assertMay, type Caller } from '../users/caller.ts';
import { importFeature } from './import-feature.ts';
import { assertMayImport } from './import-permissions.ts';
import { importProblems } from './import-problems.ts';
import { type ImportReferences, loadImportReferences } from './import-references.ts';
import { inStages } from './import-stages.ts';
import { sharedCreations, sharedUnits } from './shared-units.ts';
import { wantedFeatures } from './wanted-feature.ts';

/** Room that a transaction keeps for the event that ends an import. */
const importedWrites = 1;

/**
 * Imports a file into a project and an environment. The whole file is checked before anything is written. Then it is one
 * transaction where it fits, else several, of whole features each; sent again after it was cut off, it completes.
 * Importing what is there already writes nothing.
 * @throws ApiError 403 for what the caller may not do; 404 for an unknown project or environment; 400 with all problems
 * of the file.
 */
export async function importFeatures(table: Table, caller: Caller, file: ImportData): Promise<void> {
  assertMay(caller, ['UPDATE_FEATURE'], file.project);
  let isBegun = false;
  const named = file.data.features.map(({ name }) => keys.feature(name));
  await retrySerially(table, named, async () => {
    const [references, ids] = await Promise.all([
      loadImportReferences(table, file),
      takeEventIds(table, likelyEvents(file.data)),
    ]);
    const finished = await finishedUnits(table);
    isBegun ||= finished.size > 0;
    assertImportable(caller, file, references);

    const at = new Date().toISOString();
    const creations = sharedCreations(file.data, references, at);
    const stages = inStages(
      featureChanges(file, references, at).filter(({ after }) => !finished.has(unitOf(after.name))),
    );
    const changes = stages.flat();
    if (creations.length + changes.length === 0 && !isBegun) return;

    const amount = creations.length + changes.reduce((sum, change) => sum + change.events.length, 0) + 1;
    const lastEventId = Math.max(0, ...changes.map(({ stored }) => stored?.revision.lastEventId ?? 0));
    const { first } = await sufficientEventIds(table, ids, amount, lastEventId);
    const imported = serviceEventWrites(stamp([importedEvent(file)], first + amount - 1, caller, at));
    const shared = sharedUnits(creations, first, caller, at);
    const features = stagedUnits(stages, first + creations.length, caller);
    await commitStages(table, [shared, ...features], imported, () => {
      isBegun = true;
    });
  });
}

/** Too few would cost another request, too many are gaps between the ids, which nobody minds. */
function likelyEvents({
  features,
  featureStrategies,
  featureTags = [],
  tagTypes,
  contextFields,
  dependencies,
}: ExportData): number {
  const lists = [
    features,
    features,
    featureStrategies,
    featureTags,
    featureTags,
    tagTypes,
    contextFields,
    dependencies,
  ];
  return lists.reduce((sum, list) => sum + list.length, 1);
}

function assertImportable(caller: Caller, { environment, data }: ImportData, references: ImportReferences): void {
  assertMayImport(caller, data, references, environment);
  requireEnvironment(references.project, environment);
  const problems = importProblems(data, references);
  if (problems.length > 0) throw invalidRequest(problems);
}

function featureChanges({ environment, data }: ImportData, references: ImportReferences, at: string): FeatureChange[] {
  const { project, defaultStrategy, features } = references;
  const segmentIds = new Map(data.segments.map(({ id, name }) => [id, references.segments.get(name)?.id ?? id]));
  const place = { project: project.id, environment, at };
  return mapAll(wantedFeatures(data, { project, defaultStrategy, segmentIds }), (wanted) =>
    importFeature(features.get(wanted.fields.name), wanted, place),
  ).filter((change) => change !== undefined);
}

function importedEvent({ project, environment }: ImportData): NewEvent {
  return { type: 'features-imported', project, environment };
}

function stagedUnits(stages: readonly FeatureChange[][], firstId: number, caller: Caller): CountedUnit[][] {
  let nextId = firstId;
  return stages.map((stage) => {
    const units = featureUnits(stage, nextId, caller);
    nextId += stage.reduce((sum, change) => sum + change.events.length, 0);
    return units;
  });
}

/**
 * Commits the units stage by stage, those of a stage in flight together, and all in one transaction where they fit. The
 * last transaction carries `imported`, so that the event is there exactly when all else is.
 */
async function commitStages(
  table: Table,
  stages: readonly CountedUnit[][],
  imported: readonly Write[],
  onCommit: () => void,
): Promise<void> {
  const whole = packCounted(stages.flat(), importedWrites);
  const steps = whole.length <= 1 ? [whole] : stages.map((units) => packCounted(units, importedWrites));
  const last = steps.findLast((packs) => packs.length > 0)?.pop() ?? [];
  for (const packs of steps) await commitPacks(table, packs, onCommit);
  await commitTogether(table, last, imported);
}
