import { contextFields } from '../context-fields/context-fields.ts';
import { change, type Effects, noEffects } from '../entity/change.ts';
import type { Entity } from '../entity/entity.ts';
import { countWrites } from '../environments/environment-counts.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { deleteFeatures } from '../features/lifecycle/delete-feature.ts';
import { shelfOf } from '../features/shelf/shelf.ts';
import { defaultStrategyRemovals, loadDefaultStrategies } from '../features/strategies/default-strategy.ts';
import { forgetSeen } from '../features/use/last-seen.ts';
import { groups } from '../identity/groups.ts';
import * as markKeys from '../identity/marks/keys.ts';
import type { ProjectRoles } from '../identity/roles.ts';
import { scopeOf, tokenRemoved, tokens } from '../identity/tokens/tokens.ts';
import { serviceAccounts, users } from '../identity/users.ts';
import * as projectKeys from '../projects/keys.ts';
import { closingWrites, loadLedger } from '../projects/ledger.ts';
import { projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import * as changeRequestKeys from '../requested/keys.ts';
import * as segmentKeys from '../segments/keys.ts';
import { segments } from '../segments/segments.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/chunks.ts';
import { requireEmpty } from './archive-project.ts';
import { completeEarlierRemoval, type Removal, removalBegun, removalOf, removeInSteps } from './removal.ts';

/** The project that comes with the service; clients name it where they name none. */
const firstProject = 'default';

/**
 * Deletes a project without live features: it is gone at once, and when the reply is sent so is everything that
 * belonged to it: its archived features, default strategies, segments and context fields, its part of tokens, roles and
 * groups. Interrupted and repeated, it completes.
 * @throws ApiError 404 for an unknown project; 409 that names its live features, and for the first project; 412 by
 * `If-Match`.
 */
export async function deleteProject(request: Request, actor: Actor, id: string): Promise<void> {
  await removeInSteps(request, 'project', id, {
    itself: (step, removal) => deleteItself(step, actor, removal),
    belongings: (ours) => removeBelongings(ours, actor, id),
  });
}

/** Deletes the project itself, and returns the removal of what belonged to it; that of an earlier run continues. */
function deleteItself(request: Request, actor: Actor, removal: Removal): Promise<Removal> {
  const { of: id } = removal;
  return change(request, actor, {
    of: [projectKeys.project(id)],
    read: () =>
      Promise.all([
        projects.find(request, id),
        removalOf(request, 'project', id),
        loadLedger(request, id),
        shelfOf(request, id),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, earlier, ledger, shelf]) => {
      if (before === undefined) {
        if (earlier !== undefined) return { ...noEffects, result: earlier };
        throw notFound('project', id);
      }
      if (id === firstProject) {
        throw new ApiError('ConflictError', `The project "${id}" is built in; it cannot be deleted.`);
      }
      requireEmpty(request, ledger, shelf, 'deleted');
      const { writes, events } = projects.removed(before);
      const environments = before.value.environments.map(({ name }) => name);
      return {
        writes: [
          ...writes,
          removalBegun(removal),
          ...environments.flatMap((name) => countWrites('projectCount', name, -1)),
          ...closingWrites(ledger, { isClosed: true, isWhole: true, environments, ifUnchanged: true }),
          // What SDKs have seen is the sum of all changes, which must not fall when those of a project are not counted
          // any more.
          { add: segmentKeys.segmentsRevision(), amounts: { r: ledger.marks.revision + 1 } },
        ],
        events,
        result: removal,
      };
    },
  });
}

/** Removes the rest of a deleted project whose deletion was interrupted, so that a new one can have its id. */
export function completeDeletion(request: Request, actor: Actor, id: string): Promise<void> {
  return completeEarlierRemoval(request, 'project', id, (ours) => removeBelongings(ours, actor, id));
}

/** Nothing is added meanwhile: an addition to a project checks in its own transaction that the project exists. */
async function removeBelongings(request: Request, actor: Actor, project: string): Promise<void> {
  await removeFeatures(request, actor, project);
  const isOwn = (thing: { readonly project?: string | null }) => thing.project === project;
  await Promise.all([
    removeProtection(request, project),
    forgetSeen(request, project),
    removeDefaultStrategies(request, project),
    removeChangeRequests(request, project),
    eachOf(request, actor, segments, isOwn, segments.removed),
    eachOf(request, actor, contextFields, isOwn, contextFields.removed),
    eachOf(
      request,
      actor,
      tokens,
      (token) => scopeOf(token)?.projects.includes(project) ?? false,
      (token) => {
        const others = scopeOf(token.value)?.projects.filter((each) => each !== project) ?? [];
        return others.length === 0 ? tokenRemoved(token) : tokens.updated(token, { ...token.value, projects: others });
      },
    ),
    removeRoles(request, actor, users, project),
    removeRoles(request, actor, serviceAccounts, project),
    removeRoles(request, actor, groups, project),
  ]);
}

/** Takes their roles in a project from those of a kind who have some; that the project is deleted says as much. */
function removeRoles<T extends { readonly projectRoles: readonly ProjectRoles[] }>(
  request: Request,
  actor: Actor,
  holders: Entity<T, number>,
  project: string,
): Promise<void> {
  const isThere = (each: ProjectRoles) => each.project === project;
  return eachOf(
    request,
    actor,
    holders,
    ({ projectRoles }) => projectRoles.some(isThere),
    (holder) => {
      const projectRoles = holder.value.projectRoles.filter((each) => !isThere(each));
      return { writes: holders.updated(holder, { ...holder.value, projectRoles }).writes, events: [] };
    },
  );
}

/** Number of features that one request deletes. */
const featuresTogether = 500;

/** Children before their parents: of a feature on which others depend, these would be in the way. */
async function removeFeatures(request: Request, actor: Actor, project: string): Promise<void> {
  const { features } = await shelfOf(request, project, { isStrict: true });
  const all = [...features.values()].map(({ feature }) => feature);
  const parents = new Set(all.flatMap(({ dependencies }) => dependencies.map((parent) => parent.feature)));
  const names = all.map(({ name }) => name);
  const ordered = [...names.filter((name) => !parents.has(name)), ...names.filter((name) => parents.has(name))];
  for (const chunk of chunksOf(ordered, featuresTogether)) await deleteFeatures(request, actor, project, chunk);
}

/** A project has fewer environments than a transaction has writes. */
async function removeProtection(request: Request, project: string): Promise<void> {
  const marks = await queryAll<Key>(request, markKeys.protectedEnvironments(project));
  await transact(
    request,
    marks.map(({ pk, sk }) => ({ remove: { pk, sk } })),
    undefined,
  );
}

function removeDefaultStrategies(request: Request, project: string): Promise<void> {
  return retryLostRaces(request, async () => {
    for (const [environment, stored] of await loadDefaultStrategies(request, project)) {
      await transact(request, defaultStrategyRemovals(project, environment, stored), undefined);
    }
  });
}

/** Number of change requests that one transaction removes, each with two further items or three. */
const changeRequestsTogether = 30;

interface ListedItem extends Key {
  readonly summary: string;
}

/** Removes the change requests of a project, with their places in lists, their schedules and what was changed under them. */
async function removeChangeRequests(request: Request, project: string): Promise<void> {
  const itemsOf = (list: 'OPEN' | 'CLOSED' | 'PENDING') =>
    queryAll<ListedItem>(request, changeRequestKeys.changeRequests(project, list));
  const pending = (await itemsOf('PENDING')).map((key): Write[] => [{ remove: { pk: key.pk, sk: key.sk } }]);
  const all = [await itemsOf('OPEN'), await itemsOf('CLOSED')].flat();
  const changed: Write[][] = [];
  for (const { id, environment, createdBy, override } of all.map(({ summary }) => JSON.parse(summary))) {
    if (override === undefined) continue;
    const records = await queryAll<Key>(request, markKeys.allChangedUnder(id));
    const keysOf = [
      markKeys.override(project, environment, createdBy.id),
      ...records.map(({ pk, sk }) => ({ pk, sk })),
    ];
    changed.push(...keysOf.map((key) => [{ remove: key }]));
  }
  const listed = all.map(({ pk, sk, summary }): Write[] => {
    const { id, schedule, expiresAt } = JSON.parse(summary);
    const timed = [
      ...(schedule === undefined ? [] : [{ remove: changeRequestKeys.schedule(schedule.scheduledAt, id) }]),
      ...(expiresAt === undefined ? [] : [{ remove: changeRequestKeys.expiry(expiresAt, id) }]),
    ];
    return [{ remove: { pk, sk } }, { remove: changeRequestKeys.changeRequest(id) }, ...timed];
  });
  for (const chunk of chunksOf([...changed, ...listed, ...pending], changeRequestsTogether)) {
    await retryLostRaces(request, () => transact(request, chunk.flat(), undefined));
  }
  // A change request that was closed meanwhile has moved to a list that had been read before.
  if (all.length > 0) await removeChangeRequests(request, project);
}

/** Changes each thing of a kind that `isMeant` selects, in a transaction of its own. */
export async function eachOf<T extends object, Id extends string | number>(
  request: Request,
  actor: Actor,
  { list, find, idOf, keyOf }: Entity<T, Id>,
  isMeant: (thing: T) => boolean,
  effectsOn: (found: Versioned<T>) => Effects,
): Promise<void> {
  for (const thing of (await list(request)).filter(isMeant)) {
    const id = idOf(thing);
    await change(request, actor, {
      of: [keyOf(id)],
      read: () => find(request, id),
      revisionOf: (found) => found,
      decide: (found) => {
        if (found === undefined || !isMeant(found.value)) return { ...noEffects, result: undefined };
        return { ...effectsOn(found), result: undefined };
      },
    });
  }
}
