import type { ChangeInput } from '../change-requests/change-input-schema.ts';
import { type ChangeRequest, changesBytesMax, newChange } from '../change-requests/change-request.ts';
import { changesMax } from '../change-requests/change-request-schema.ts';
import { findPending } from '../change-requests/change-requests.ts';
import { addChanges } from '../change-requests/edit.ts';
import { baseOf, type FeatureChangeInput } from '../change-requests/plan/base.ts';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { WriteBudget } from '../entity/commit-units.ts';
import { checkSteps } from '../entity/stamp-chunks.ts';
import type { FlagRequest, Step } from '../entity/step.ts';
import { inStages } from '../entity/store-stages.ts';
import type { DecidedSteps } from '../entity/storing.ts';
import { writeInLoop } from '../entity/write-loop.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { type Actor, type Author, systemUser } from '../events/actor.ts';
import { stepNameOf } from '../features/change-features.ts';
import type { Feature } from '../features/feature.ts';
import { loadRest } from '../features/feature-store.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import { buildFeatureWrites } from '../features/items/feature-writes.ts';
import * as featureKeys from '../features/keys.ts';
import { parentsOfOthers } from '../features/lifecycle/archive-feature.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import { requireEnvironment } from '../projects/projects.ts';
import { needsApproval } from '../projects/protection.ts';
import { type Request, withoutReceipt } from '../request.ts';
import { itemBytes } from '../store/item.ts';
import { chunksOf } from '../values/lists.ts';
import { parentsIn, withoutFeatures } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';
import { importFeature } from './import-feature.ts';
import { assertMayImport } from './import-permissions.ts';
import { buildRefusal, importProblems } from './import-problems.ts';
import { type ImportReferences, listSharedCreations, loadImportReferences } from './import-references.ts';
import { planRequestedChanges } from './requested-changes.ts';
import { groupWantedFeatures, type WantedFeature } from './wanted-feature.ts';

/** Number of features read and decided together. */
const chunkSize = 100;

/**
 * Imports a file into a project and an environment. The whole file is checked before anything is written. It takes one
 * transaction where it fits, otherwise several, of whole features each; interrupted and repeated, it completes.
 * Importing what exists already writes nothing. Features that are archived are left out, with a warning. Where changes need approval, what SDKs get is not changed but asked for, in a
 * change request of its own.
 * @throws ApiError 403 for what the file changes and the caller may not; 404 for an unknown project or environment; 400 with all problems
 * of the file, and for more than one request may write; 409 for a feature that is in it twice, and for a caller who has a request there that is not applied yet.
 */
export async function importFeatures(request: Request, caller: PermittedCaller, file: ImportData): Promise<void> {
  const isAsking = needsApproval(request, file.project, file.environment);
  const pending = isAsking ? await findPending(request, caller, file.project, file.environment) : undefined;
  if (pending !== undefined) refuseToJoin(pending.value);
  const asked: ChangeInput[] = [];
  await importDirectly(isAsking ? withoutReceipt(request) : request, caller, file, isAsking ? asked : undefined);
  if (asked.length > 0) {
    const place = { projectId: file.project, environment: file.environment };
    await addChanges(request, caller, place, asked, refuseToJoin);
  }
}

/** @throws ApiError 409: a caller has a request there that is not applied yet. */
function refuseToJoin(request: Pick<ChangeRequest, 'id'>): void {
  throw new ApiError('ConflictError', finishFirst(request));
}

const finishFirst = ({ id }: Pick<ChangeRequest, 'id'>) =>
  `An import asks for its changes in a request of its own; finish your change request "${id}" first.`;

/** @param asked receives what needs approval, where anything does; that is not done then. */
async function importDirectly(
  request: Request,
  caller: PermittedCaller,
  file: ImportData,
  asked: ChangeInput[] | undefined,
): Promise<void> {
  const ours = withSuspension(request);
  await writeInLoop(ours, caller, {
    storing: inStages,
    of: file.data.features.map(({ name }) => featureKeys.feature(name)),
    likelyEvents: likelyEvents(file.data),
    read: () => loadImportReferences(ours, file),
    decide: (references, at, finished) => {
      assertImportable(caller, file, references, asked !== undefined);
      const leftOut = [...references.archived].filter((name) => !finished.has(stepNameOf(name)));
      if (leftOut.length > 0) request.warnings.add(leftOutWarning(leftOut.length));
      asked?.splice(0);
      return {
        ...decideImport(ours, caller, { file, references, finished, at, asked }),
        finalEvent: { type: 'features-imported', project: file.project, environment: file.environment },
        result: undefined,
      };
    },
  });
}

/**
 * Lists the problems that an import would meet in a project with changes that need approval, once they are decided on; nothing
 * is written.
 * @throws LostRace where the features are not of one moment.
 */
export async function problemsOfDeciding(
  request: Request,
  author: Author,
  file: ImportData,
  references: ImportReferences,
  isAsking: boolean,
): Promise<readonly ErrorDetail[]> {
  const pending = isAsking ? await findPending(request, author, file.project, file.environment) : undefined;
  if (pending !== undefined) return [{ message: finishFirst(pending.value) }];
  const ours = withSuspension(request);
  const at = new Date().toISOString();
  const asked = isAsking ? [] : undefined;
  try {
    const decided = decideImport(ours, systemUser, { file, references, finished: new Set(), at, asked });
    await checkSteps(ours, systemUser, at, decided);
    return [];
  } catch (error) {
    // What reaches further environments.
    if (error instanceof ApiError && error.name === 'PermissionError') return error.details;
    return problemsOf(error);
  }
}

/** Returns a warning without their names: it is logged, too. The validation of the file names them. */
function leftOutWarning(amount: number): string {
  const features = amount === 1 ? '1 feature of the file is' : `${amount} features of the file are`;
  return `${features} archived here and left out; a validation of the file names them.`;
}

/** Too few would cost another request, too many are gaps between the ids, which cost nothing. */
function likelyEvents({ features, ...others }: ExportData): number {
  // A feature may be created or changed, archived, go stale, and get a default strategy; what is said of it may take the
  // place of something else and be new everywhere, as a tag can. One more ends the import.
  return 1 + 4 * features.length + 3 * Object.values(others).flat().length;
}

function assertImportable(
  caller: Caller,
  { environment, data }: ImportData,
  references: ImportReferences,
  isAsking: boolean,
): void {
  assertMayImport(caller, withoutFeatures(data, references.archived).data, references, isAsking);
  requireEnvironment(references.project, environment);
  const problems = importProblems(data, references);
  if (problems.length > 0) throw buildRefusal(problems, data);
}

interface Import {
  readonly file: ImportData;
  readonly references: ImportReferences;
  readonly finished: ReadonlySet<string>;
  readonly at: string;
  readonly asked: ChangeInput[] | undefined;
}

/** Stages of an import: features that others of the file depend on come before those, so that none exists before its parents. */
const stages = { shared: 0, parents: 1, others: 2 };

/** Returns the steps of all that changes, with the bytes that they may write. */
function decideImport(request: FlagRequest, actor: Actor, ours: Import): DecidedSteps {
  const { references } = ours;
  const { project, defaultStrategy } = references;
  const { data } = withoutFeatures(ours.file.data, references.archived);
  const segmentIds = new Map(data.segments.map(({ id, name }) => [id, references.segments.get(name)?.id ?? id]));
  const wanted = groupWantedFeatures(data, { project, defaultStrategy, segmentIds });
  const budget = new WriteBudget(wanted.length);
  const file = { ...ours.file, data };
  return { steps: decideSteps(request, actor, { ...ours, file }, wanted, budget), budget };
}

/** @throws ApiError 400 with all problems, at the end. */
async function* decideSteps(
  request: FlagRequest,
  actor: Actor,
  { file, references, finished, at, asked }: Import,
  wanted: readonly WantedFeature[],
  budget: WriteBudget,
): AsyncGenerator<readonly Step[]> {
  const { data, environment } = file;
  const { project, features } = references;
  const parents = parentsIn(data);
  const problems: ErrorDetail[] = [];
  const place = { project: project.id, environment, actor, at };
  let askedBytes = 0;
  const shared = listSharedCreations(data, references, at).map((step) => ({ ...step, stage: stages.shared }));
  if (wanted.length === 0) yield shared;
  if (asked !== undefined) problems.push(...(await archivedParents(request, data, features)));
  for (const chunk of chunksOf(wanted, chunkSize)) {
    const loaded = await loadChunk(request, chunk, features, environment);
    const steps = loaded.flatMap(({ each, stored }): Step[] => {
      budget.spend([], itemBytes({ ...stored?.environmentItems.get(environment) }));
      const whole = importFeature(stored, each, place);
      const change = asked === undefined ? whole : importFeature(stored, each, { ...place, isFreeOnly: true });
      const before = change?.after ?? stored?.feature;
      if (asked !== undefined && whole !== undefined && before !== undefined) {
        const own = collectFrom(problems, () => planRequestedChanges(before, whole.after, environment)) ?? [];
        askedBytes += bytesOfAsked(own, before, place);
        asked.push(...own);
        if (own.length > 0 && before.archivedAt !== null) problems.push(notAskedOf(before, environment));
      }
      if (change === undefined || finished.has(stepNameOf(change.after.name))) return [];
      const { name } = change.after;
      const tombstone = references.tombstones.get(name);
      return [
        {
          what: stepNameOf(name),
          stage: parents.has(name) ? stages.parents : stages.others,
          writes: [],
          events: change.events,
          record: (stamped) => buildFeatureWrites(request, { ...change, tombstone }, stamped),
          lastEventId: (stored?.revision ?? tombstone)?.lastEventId,
          flag: { schedules: stored?.own.schedules, after: change.after },
        },
      ];
    });
    // With the first features, so that the ids of a small import are in a row.
    yield [...shared.splice(0), ...steps];
  }
  if ((asked?.length ?? 0) > changesMax) problems.push(tooManyAsked(asked?.length ?? 0));
  else if (askedBytes > changesBytesMax) problems.push(tooMuchAsked(askedBytes));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Returns the result of a function, or takes down what it refuses. */
function collectFrom<T>(problems: ErrorDetail[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    problems.push(...problemsOf(error));
    return undefined;
  }
}

/** Returns a problem for each feature that the file archives, on which others depend. */
async function archivedParents(request: Request, data: ExportData, features: ImportReferences['features']) {
  const archived = data.features.flatMap(({ name, archived }) => (archived ? (features.get(name) ?? []) : []));
  const leaving = archived.filter(({ archivedAt }) => archivedAt === null);
  const parents = await parentsOfOthers(
    request,
    leaving,
    leaving.map(({ name }) => name),
  );
  return parents.map((name) => ({ message: `Features depend on "${name}".`, path: 'data.features' }));
}

function notAskedOf({ name }: Feature, environment: string): ErrorDetail {
  return {
    message: `The feature "${name}" is archived, and nothing can be asked of it in "${environment}", where changes need approval.`,
    path: 'data.features',
  };
}

function tooManyAsked(amount: number): ErrorDetail {
  return {
    message: `The import would ask for ${amount} changes; a change request has at most ${changesMax}: import fewer features at once.`,
    path: 'data.features',
  };
}

/** Returns the bytes that changes take in a request, but for what it finds out when it takes them. */
function bytesOfAsked(
  asked: readonly FeatureChangeInput[],
  before: Feature,
  { actor, environment, at }: { readonly actor: Actor; readonly environment: string; readonly at: string },
): number {
  const changes = asked.map((each) => newChange(each, 0, baseOf(each, before, environment), actor, at));
  return Buffer.byteLength(JSON.stringify(changes));
}

function tooMuchAsked(bytes: number): ErrorDetail {
  return {
    message: `The import would ask for changes of ${bytes} bytes; those of a change request take at most ${changesBytesMax}: import fewer features at once.`,
    path: 'data.features',
  };
}

/** Reads some features of a file from the store, with the facts that the import needs. */
function loadChunk(
  request: Request,
  chunk: readonly WantedFeature[],
  features: ImportReferences['features'],
  environment: string,
): Promise<{ readonly each: WantedFeature; readonly stored: StoredFeature | undefined }[]> {
  return Promise.all(
    chunk.map(async (each) => {
      const head = features.get(each.fields.name);
      return { each, stored: head && (await loadRest(request, head, [environment])) };
    }),
  );
}

/** Returns the problems that a refusal names. */
function problemsOf(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}
