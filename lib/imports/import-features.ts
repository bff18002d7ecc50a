import { addChanges } from '../change-requests/edit.ts';
import { baseOf, type FeatureChangeInput } from '../change-requests/plan/base.ts';
import { withEvents } from '../entity/change.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { type Actor, type Author, systemUser } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { EventIdPool, takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Feature } from '../features/feature.ts';
import { completed } from '../features/feature-store.ts';
import {
  commitPacks,
  commitTogether,
  finishedUnits,
  packChanges,
  unitOf,
  WriteBudget,
} from '../features/items/commit-features.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import { featureWrites } from '../features/items/feature-writes.ts';
import * as featureKeys from '../features/keys.ts';
import { parentsOfOthers } from '../features/lifecycle/archive-feature.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import { requireEnvironment } from '../projects/projects.ts';
import { needsApproval } from '../projects/protection.ts';
import { type Request, withoutReceipt } from '../request.ts';
import { type ChangeRequest, changesBytesMax, newChange } from '../requested/change-request.ts';
import { type ChangeInput, changesMax } from '../requested/change-request-schema.ts';
import { findPending } from '../requested/change-requests.ts';
import { loadScheduledOn, suspendedBy } from '../requested/suspend.ts';
import { itemBytes } from '../store/item.ts';
import type { Unit } from '../store/pack.ts';
import { retrySerially } from '../store/transactions/retry.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/chunks.ts';
import { askedChanges } from './asked-changes.ts';
import { parentsIn } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';
import { importFeature } from './import-feature.ts';
import { assertMayImport } from './import-permissions.ts';
import { importProblems } from './import-problems.ts';
import { type ImportReferences, loadImportReferences, sharedCreations } from './import-references.ts';
import { type WantedFeature, wantedFeatures } from './wanted-feature.ts';

/** Room that a transaction keeps for the event that ends an import. */
const importedWrites = 1;
/** Number of features read and decided together. */
const chunkSize = 100;

/**
 * Imports a file into a project and an environment. The whole file is checked before anything is written. It takes one
 * transaction where it fits, otherwise several, of whole features each; interrupted and repeated, it completes.
 * Importing what exists already writes nothing. Where changes need approval, what SDKs get is not changed but asked for, in a
 * change request of its own.
 * @throws ApiError 403 for what the file changes and the caller may not; 404 for an unknown project or environment; 400 with all problems
 * of the file, and for more than one request may write; 409 for a caller who has a request there that is not applied yet.
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
  let isBegun = false;
  const named = file.data.features.map(({ name }) => featureKeys.feature(name));
  await retrySerially(request, named, async () => {
    const [references, taken] = await Promise.all([
      loadImportReferences(request, file),
      takeEventIds(request, likelyEvents(file.data)),
    ]);
    const finished = await finishedUnits(request);
    isBegun ||= finished.size > 0;
    assertImportable(caller, file, references, asked !== undefined);
    asked?.splice(0);

    const at = new Date().toISOString();
    const ids = new EventIdPool(request, taken);
    const { stages, lastId } = await decidedStages(request, caller, { file, references, finished, ids, at, asked });
    if (stages.flat().length === 0 && !isBegun) return;

    const event: NewEvent = { type: 'features-imported', project: file.project, environment: file.environment };
    const imported = serviceEventWrites(stamp([event], lastId, caller, at));
    await commitStages(request, stages, imported, () => {
      isBegun = true;
    });
  });
}

/** Ids of events that are never written, above all others. */
const neverWritten = { first: 2 ** 52, last: Number.MAX_SAFE_INTEGER };

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
  const ids = new EventIdPool(request, neverWritten);
  const at = new Date().toISOString();
  const asked = isAsking ? [] : undefined;
  try {
    await decidedStages(request, systemUser, { file, references, finished: new Set(), ids, at, asked });
    return [];
  } catch (error) {
    // What reaches further environments.
    if (error instanceof ApiError && error.name === 'PermissionError') return error.details;
    return problemsOf(error);
  }
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
  assertMayImport(caller, data, references, isAsking);
  requireEnvironment(references.project, environment);
  const problems = importProblems(data, references);
  if (problems.length > 0) throw invalidRequest(problems);
}

interface Import {
  readonly file: ImportData;
  readonly references: ImportReferences;
  readonly finished: ReadonlySet<string>;
  readonly ids: EventIdPool;
  readonly at: string;
  readonly asked: ChangeInput[] | undefined;
}

/** Transactions of an import, stage by stage, and the id reserved for the event that ends it. */
interface Decided {
  readonly stages: readonly Unit[][];
  readonly lastId: number;
}

/**
 * Returns the units of all that changes: what features share, the features on which others of the file depend, and then
 * those, so that no feature exists before its parents. Features are read and decided on in chunks, so that no more is
 * in memory than may be written; the events of a chunk have ids in a row.
 */
async function decidedStages(
  request: Request,
  actor: Actor,
  { file, references, finished, ids, at, asked }: Import,
): Promise<Decided> {
  const { data, environment } = file;
  const { project, defaultStrategy, features } = references;
  const segmentIds = new Map(data.segments.map(({ id, name }) => [id, references.segments.get(name)?.id ?? id]));
  const wanted = wantedFeatures(data, { project, defaultStrategy, segmentIds });
  const parents = parentsIn(data);
  const creations = sharedCreations(data, references, at);
  const budget = new WriteBudget(wanted.length);
  const problems: ErrorDetail[] = [];
  const collect = <T>(make: () => T): T | undefined => {
    try {
      return make();
    } catch (error) {
      problems.push(...problemsOf(error));
      return undefined;
    }
  };
  const [shared, first, second]: [Unit[], Unit[], Unit[]] = [[], [], []];
  const known = [...features.values()].map(({ own }) => own);
  const scheduled = await loadScheduledOn(request, known);
  if (asked !== undefined) problems.push(...(await archivedParents(request, data, features)));
  const made: NewEvent[] = [];
  const left: Feature[] = [];
  let [nextId, askedBytes] = [0, 0];

  const chunks = wanted.length === 0 ? [[]] : [...chunksOf(wanted, chunkSize)];
  for (const [index, chunk] of chunks.entries()) {
    const changes = (await loadChunk(request, chunk, features, environment)).flatMap(({ each, stored }) => {
      budget.spend([], itemBytes({ ...stored?.environmentItems.get(environment) }));
      const place = { project: project.id, environment, actor, at };
      const whole = importFeature(stored, each, place);
      const change = asked === undefined ? whole : importFeature(stored, each, { ...place, isFreeOnly: true });
      const before = change?.after ?? stored?.feature;
      if (asked !== undefined && whole !== undefined && before !== undefined) {
        const own = collect(() => askedChanges(before, whole.after, environment)) ?? [];
        askedBytes += bytesOfAsked(own, before, place);
        asked.push(...own);
        if (own.length > 0 && before.archivedAt !== null) problems.push(notAskedOf(before, environment));
      }
      if (change === undefined || finished.has(unitOf(change.after.name))) return [];
      return [{ ...change, remains: references.remains.get(change.after.name) }];
    });
    const events = changes.reduce((sum, change) => sum + change.events.length, 0);
    const sharedEvents = index === 0 ? creations.length : 0;
    const lastEventId = Math.max(
      0,
      ...changes.map(({ stored, remains }) => (stored?.revision ?? remains)?.lastEventId ?? 0),
    );
    // The last one is for the event that ends the import.
    nextId = await ids.next(sharedEvents + events + 1, lastEventId);
    if (index === 0) shared.push(...withEvents(creations, nextId, actor, at));
    nextId += sharedEvents;
    for (const change of changes) {
      const stamped = stamp(change.events, nextId, actor, at);
      nextId += change.events.length;
      made.push(...change.events);
      if (scheduled.length > 0) left.push(change.after);
      const writes = collect(() => featureWrites(request, change, stamped));
      if (writes === undefined) continue;
      budget.spend(writes);
      const { name } = change.after;
      (parents.has(name) ? first : second).push({ what: unitOf(name), writes });
    }
  }
  if ((asked?.length ?? 0) > changesMax) problems.push(tooManyAsked(asked?.length ?? 0));
  else if (askedBytes > changesBytesMax) problems.push(tooMuchAsked(askedBytes));
  if (problems.length > 0) throw invalidRequest(problems);
  // Before the features, where they take several transactions: none of these schedules runs between two of them.
  const suspended = suspendedBy(scheduled, made, left);
  const count = suspended.reduce((sum, { events }) => sum + events.length, 0);
  const firstId = count === 0 ? nextId : await ids.next(count + 1, nextId);
  shared.push(...withEvents(suspended, firstId, actor, at));
  return { stages: [shared, first, second], lastId: firstId + count };
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
      return { each, stored: head && (await completed(request, head, [environment])) };
    }),
  );
}

/** Returns the problems that a refusal names. */
function problemsOf(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}

/**
 * Commits the units stage by stage, those of a stage in flight together, and all in one transaction where they fit. The
 * last transaction carries `imported`, so that the event is there exactly when all else is.
 */
async function commitStages(
  request: Request,
  stages: readonly Unit[][],
  imported: readonly Write[],
  onCommit: () => void,
): Promise<void> {
  const whole = packChanges(request, stages.flat(), importedWrites);
  const steps = whole.length <= 1 ? [whole] : stages.map((units) => packChanges(request, units, importedWrites));
  const last = steps.findLast((packs) => packs.length > 0)?.pop() ?? [];
  for (const packs of steps) await commitPacks(request, packs, onCommit);
  await commitTogether(request, last, imported);
}
