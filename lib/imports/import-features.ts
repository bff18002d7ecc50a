import { addChanges } from '../change-requests/add-changes.ts';
import type { ChangeInput } from '../change-requests/change-input-schema.ts';
import { buildChange, type ChangeRequest, changesBytesMax } from '../change-requests/change-request.ts';
import { changesMax } from '../change-requests/change-request-schema.ts';
import { findPending } from '../change-requests/change-requests.ts';
import { baseOf, type FeatureChangeInput } from '../change-requests/plan/base.ts';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { WriteBudget } from '../entity/commit-units.ts';
import type { ChangeUnit, FlagRequest } from '../entity/effects.ts';
import { checkDecision } from '../entity/stamp-chunks.ts';
import { inStages } from '../entity/store-stages.ts';
import { writeInLoop } from '../entity/write-loop.ts';
import type { DecidedUnits } from '../entity/write-strategy.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { type Actor, type Author, systemUser } from '../events/actor.ts';
import { stepNameOf } from '../features/change-features.ts';
import type { Feature } from '../features/feature.ts';
import { loadRest } from '../features/feature-store.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import { buildFeatureWrites } from '../features/items/feature-writes.ts';
import * as featureKeys from '../features/keys.ts';
import { listParentsOfOthers } from '../features/lifecycle/archive-feature.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import { requireEnvironment } from '../projects/projects.ts';
import { needsApproval } from '../projects/protection.ts';
import { type Request, withoutIdempotencyRecord } from '../request.ts';
import { itemBytes } from '../store/item.ts';
import { chunksOf } from '../values/lists.ts';
import { parentsIn, withoutFeatures } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';
import { importFeature } from './import-feature.ts';
import { assertMayImport } from './import-permissions.ts';
import { buildRefusal, listImportProblems } from './import-problems.ts';
import { type ImportReferences, listSharedCreations, loadImportReferences } from './import-references.ts';
import { planRequestedChanges } from './requested-changes.ts';
import { groupWantedFeatures, type WantedFeature } from './wanted-feature.ts';

/** Number of features read and decided together. */
const chunkSize = 100;

/**
 * Imports a file into a project and an environment, after a check of the whole file. A large file takes several transactions
 * of whole features, and a repeated import completes an interrupted one. Unchanged features are not written. Archived
 * features are skipped with a warning. If changes need approval, the changes that SDKs would see become a new change request.
 * @throws ApiError 403 for missing permissions; 404 for an unknown project or environment; 400 with all problems of the file,
 * and for more than one request may write; 409 for a feature that the file has twice, and for a pending change request of the
 * caller.
 */
export async function importFeatures(request: Request, caller: PermittedCaller, file: ImportData): Promise<void> {
  const isRequesting = needsApproval(request, file.project, file.environment);
  const pending = isRequesting ? await findPending(request, caller, file.project, file.environment) : undefined;
  if (pending !== undefined) refuseToJoin(pending.value);
  const requested: ChangeInput[] = [];
  await importDirectly(
    isRequesting ? withoutIdempotencyRecord(request) : request,
    caller,
    file,
    isRequesting ? requested : undefined,
  );
  if (requested.length > 0) {
    const path = { projectId: file.project, environment: file.environment };
    await addChanges(request, caller, path, [...requested], refuseToJoin);
  }
}

/** @throws ApiError 409 for a pending change request of the caller. */
function refuseToJoin(request: Pick<ChangeRequest, 'id'>): void {
  throw new ApiError('ConflictError', finishFirst(request));
}

const finishFirst = ({ id }: Pick<ChangeRequest, 'id'>) =>
  `An import creates a new change request; apply or cancel your change request "${id}" first.`;

/** @param requested receives the changes that need approval, which are not made then; undefined if none needs it. */
async function importDirectly(
  request: Request,
  caller: PermittedCaller,
  file: ImportData,
  requested: ChangeInput[] | undefined,
): Promise<void> {
  const flagRequest = withSuspension(request);
  await writeInLoop(flagRequest, caller, {
    strategy: inStages,
    items: file.data.features.map(({ name }) => featureKeys.feature(name)),
    likelyEvents: estimateEvents(file.data),
    read: () => loadImportReferences(flagRequest, file),
    decide: (references, at, finished) => {
      assertImportable(caller, file, references, requested !== undefined);
      const skipped = [...references.archived].filter((name) => !finished.has(stepNameOf(name)));
      if (skipped.length > 0) request.warnings.add(buildSkippedWarning(skipped.length));
      requested?.splice(0);
      return {
        ...decideImport(flagRequest, caller, { file, references, finished, at, requested }),
        finalEvent: { type: 'features-imported', project: file.project, environment: file.environment },
        result: undefined,
      };
    },
  });
}

/**
 * Lists the problems that show only when an import into a project with protected environments is decided. Nothing is written.
 * @throws LostRace if the parts of a feature differ in version.
 */
export async function findDecisionProblems(
  request: Request,
  author: Author,
  file: ImportData,
  references: ImportReferences,
  isRequesting: boolean,
): Promise<readonly ErrorDetail[]> {
  const pending = isRequesting ? await findPending(request, author, file.project, file.environment) : undefined;
  if (pending !== undefined) return [{ message: finishFirst(pending.value) }];
  const flagRequest = withSuspension(request);
  const at = new Date().toISOString();
  const requested = isRequesting ? [] : undefined;
  try {
    const decided = decideImport(flagRequest, systemUser, { file, references, finished: new Set(), at, requested });
    await checkDecision(flagRequest, systemUser, at, decided);
    return [];
  } catch (error) {
    // A change that reaches other protected environments.
    if (error instanceof ApiError && error.name === 'PermissionError') return error.details;
    return detailsOf(error);
  }
}

/** Builds a warning without the names of the features, since warnings are logged. */
function buildSkippedWarning(amount: number): string {
  const features = amount === 1 ? '1 feature of the file is' : `${amount} features of the file are`;
  return `${features} archived here and skipped; the validation of the file names them.`;
}

/** Estimates the number of events. Too few ids cost another request; too many only leave gaps. */
function estimateEvents({ features, ...others }: ExportData): number {
  // A feature may be created or changed, archived, go stale, and get a default strategy. Any other thing may replace one and
  // be new, as a tag can. The last event is that of the import.
  return 1 + 4 * features.length + 3 * Object.values(others).flat().length;
}

function assertImportable(
  caller: Caller,
  { environment, data }: ImportData,
  references: ImportReferences,
  isRequesting: boolean,
): void {
  assertMayImport(caller, withoutFeatures(data, references.archived).data, references, isRequesting);
  requireEnvironment(references.project, environment);
  const problems = listImportProblems(data, references);
  if (problems.length > 0) throw buildRefusal(problems, data);
}

interface Import {
  readonly file: ImportData;
  readonly references: ImportReferences;
  readonly finished: ReadonlySet<string>;
  readonly at: string;
  readonly requested: ChangeInput[] | undefined;
}

/** The stages of an import. Parents come before their children, so that no feature exists before its parents. */
const stages = { shared: 0, parents: 1, others: 2 };

/** Returns the steps of an import, with the bytes that they may write. */
function decideImport(request: FlagRequest, actor: Actor, whole: Import): DecidedUnits {
  const { references } = whole;
  const { project, defaultStrategy } = references;
  const { data } = withoutFeatures(whole.file.data, references.archived);
  const segmentIds = new Map(data.segments.map(({ id, name }) => [id, references.segments.get(name)?.id ?? id]));
  const wanted = groupWantedFeatures(data, { project, defaultStrategy, segmentIds });
  const budget = new WriteBudget(wanted.length);
  const file = { ...whole.file, data };
  return { units: decideUnits(request, actor, { ...whole, file }, wanted, budget), budget };
}

/** @throws ApiError 400 with all problems, after the last step. */
async function* decideUnits(
  request: FlagRequest,
  actor: Actor,
  { file, references, finished, at, requested }: Import,
  wantedFeatures: readonly WantedFeature[],
  budget: WriteBudget,
): AsyncGenerator<readonly ChangeUnit[]> {
  const { data, environment } = file;
  const { project, features } = references;
  const parents = parentsIn(data);
  const problems: ErrorDetail[] = [];
  const context = { project: project.id, environment, actor, at };
  const path = 'data.features';
  let requestedBytes = 0;
  const shared = listSharedCreations(data, references, at).map((step) => ({ ...step, stage: stages.shared }));
  if (wantedFeatures.length === 0) yield shared;
  if (requested !== undefined) problems.push(...(await listArchivedParents(request, data, features)));
  for (const chunk of chunksOf(wantedFeatures, chunkSize)) {
    const loaded = await loadChunk(request, chunk, features, environment);
    const units = loaded.flatMap(({ wanted, stored }): ChangeUnit[] => {
      budget.spend([], itemBytes({ ...stored?.environmentItems.get(environment) }));
      const whole = importFeature(stored, wanted, context);
      const change = requested === undefined ? whole : importFeature(stored, wanted, { ...context, isFreeOnly: true });
      const before = change?.after ?? stored?.feature;
      if (requested !== undefined && whole !== undefined && before !== undefined) {
        const changes = collectFrom(problems, () => planRequestedChanges(before, whole.after, environment)) ?? [];
        requestedBytes += bytesOf(changes, before, context);
        requested.push(...changes);
        if (changes.length > 0 && before.archivedAt !== null) {
          const message = `The feature "${before.name}" is archived: a change request for "${environment}" cannot change it.`;
          problems.push({ message, path });
        }
      }
      if (change === undefined || finished.has(stepNameOf(change.after.name))) return [];
      const { name } = change.after;
      const tombstone = references.tombstones.get(name);
      return [
        {
          subject: stepNameOf(name),
          stage: parents.has(name) ? stages.parents : stages.others,
          writes: [],
          events: change.events,
          record: (stamped) => buildFeatureWrites(request, { ...change, tombstone }, stamped),
          lastEventId: (stored?.revision ?? tombstone)?.lastEventId,
          flag: { schedules: stored?.own.schedules, after: change.after },
        },
      ];
    });
    // The shared things come with the first features, so that the event ids of a small import have no gap.
    yield [...shared.splice(0), ...units];
  }
  const amount = requested?.length ?? 0;
  if (amount > changesMax) {
    const message = `The import would request ${amount} changes; a change request has at most ${changesMax}: import fewer features at a time.`;
    problems.push({ message, path });
  } else if (requestedBytes > changesBytesMax) {
    const message = `The import would request changes of ${requestedBytes} bytes; a change request takes at most ${changesBytesMax}: import fewer features at a time.`;
    problems.push({ message, path });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Returns the result of a function, or collects the problems that it throws. */
function collectFrom<T>(problems: ErrorDetail[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    problems.push(...detailsOf(error));
    return undefined;
  }
}

/** Lists the features that the file archives although other features depend on them. */
async function listArchivedParents(request: Request, data: ExportData, features: ImportReferences['features']) {
  const archived = data.features.flatMap(({ name, archived }) => (archived ? (features.get(name) ?? []) : []));
  const leaving = archived.filter(({ archivedAt }) => archivedAt === null);
  const parents = await listParentsOfOthers(
    request,
    leaving,
    leaving.map(({ name }) => name),
  );
  return parents.map((name) => ({ message: `Features depend on "${name}".`, path: 'data.features' }));
}

/** Returns the bytes of changes in a change request, without facts that it adds itself. */
function bytesOf(
  inputs: readonly FeatureChangeInput[],
  before: Feature,
  { actor, environment, at }: { readonly actor: Actor; readonly environment: string; readonly at: string },
): number {
  const changes = inputs.map((input) => buildChange(input, 0, baseOf(input, before, environment), actor, at));
  return Buffer.byteLength(JSON.stringify(changes));
}

/** Loads the stored features of a chunk. */
function loadChunk(
  request: Request,
  chunk: readonly WantedFeature[],
  features: ImportReferences['features'],
  environment: string,
): Promise<{ readonly wanted: WantedFeature; readonly stored: StoredFeature | undefined }[]> {
  return Promise.all(
    chunk.map(async (wanted) => {
      const head = features.get(wanted.fields.name);
      return { wanted, stored: head && (await loadRest(request, head, [environment])) };
    }),
  );
}

/** Returns the problems of a refusal; throws any other error. */
function detailsOf(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}
