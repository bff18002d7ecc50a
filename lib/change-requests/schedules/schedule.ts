import pLimit from 'p-limit';
import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { ApiError, errorStatuses } from '../../errors.ts';
import { permitForOwnData, systemUser } from '../../events/actor.ts';
import { loadApprovalGate } from '../../identity/access-flags/approval-gate.ts';
import { buildCaller, loadDecider } from '../../identity/caller.ts';
import { allows, type Permission } from '../../identity/permissions.ts';
import type { Request } from '../../request.ts';
import type { Key, Partition } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { mapChunks } from '../../values/lists.ts';
import { applyRequest } from '../apply.ts';
import { type ChangeRequest, requestEvent, withStatus } from '../change-request.ts';
import { changeRequests, requestUpdated } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { environmentsOf, loadRules } from '../rules.ts';
import { readChangeRequestSettings } from '../settings.ts';
import { listTouched } from './schedule-references.ts';

/** A request that is due, by its mark. */
interface Due {
  readonly id: number;
  readonly at: string;
}

/** Reads the requests of which the marks are due by a moment, the earliest first. */
export async function dueIn(request: Request, marks: Partition, now: Date): Promise<Due[]> {
  // The sort key of this very moment is longer.
  const items = await queryAll<Key>(request, marks, { before: `${now.toISOString()}~` });
  return items.map(({ sk }) => {
    const [at = '', id] = sk.split('#');
    return { id: Number(id), at };
  });
}

/** The most requests that are applied at the same time. */
const atOnceMax = 10;

/**
 * Applies the requests whose time has come, each with the rights and in the name of the person who scheduled it: those that touch the same
 * thing in the order of their times, and others at the same time, so that none waits for one that takes long. One that
 * cannot be applied says why, and waits for somebody. Several processes may do so at the same time: each request is applied
 * once.
 * @throws the first failure, at the end.
 */
export async function applyDue(request: Request, now: Date): Promise<void> {
  const all = await mapChunks(await dueIn(request, changeRequestKeys.schedules(), now), atOnceMax, async (due) => {
    // One that cannot be read fails by itself.
    const found = await changeRequests.find(request, due.id).catch(() => undefined);
    const { names, ids } = listTouched(found?.value.changes ?? []);
    return { due, touched: new Set<unknown>([...names, ...ids]) };
  });
  const limit = pLimit(atOnceMax);
  const failures: unknown[] = [];
  const begun: { readonly touched: ReadonlySet<unknown>; readonly isDone: Promise<boolean> }[] = [];
  for (const { due, touched } of all) {
    const earlier = begun.filter((each) => !each.touched.isDisjointFrom(touched)).map(({ isDone }) => isDone);
    const apply = () => applyScheduled(request, due, now).catch((error: unknown) => noteFailure(request, due, error));
    const isDone = Promise.all(earlier)
      // One before it for which the store had no time is not overtaken.
      .then((done) => !done.includes(false) && limit(apply).then(() => true))
      .catch((error: unknown) => {
        failures.push(error);
        return !(error instanceof ApiError);
      });
    begun.push({ touched, isDone });
  }
  await Promise.all(begun.map(({ isDone }) => isDone));
  if (failures.length > 0) throw failures[0];
}

async function applyScheduled(request: Request, due: Due, now: Date): Promise<void> {
  const { value: found } = (await changeRequests.find(request, due.id)) ?? {};
  // Of one that is gone, the mark would keep the clock running.
  if (found === undefined)
    return transact(request, [{ remove: changeRequestKeys.schedule(due.at, due.id) }], undefined);
  const { project, environment, schedule } = found;
  if (!isDue(found, due)) return;
  // A part of it is there already.
  if (found.applied === undefined) await assertInTime(request, due, now);
  const scheduledBy = schedule?.scheduledBy ?? systemUser;
  const holder = await loadDecider(request, scheduledBy);
  const rights = holder?.rights;
  const may = (permissions: readonly Permission[], of: string | undefined, where?: string) =>
    rights !== undefined && permissions.some((permission) => allows(rights, permission, of, where));
  // What it would change in other projects needs approval there, as it would of the person.
  const gate = await loadApprovalGate(request, async () => holder && buildCaller(holder, {}));
  // `assertMay` asks whether they still may.
  await applyRequest({ ...request, gate }, permitForOwnData(scheduledBy), {
    id: due.id,
    load: () => changeRequests.load(request, due.id),
    assertMay(one, needs, rules) {
      if (!isDue(one, due)) throw new ApiError('ConflictError', 'It was changed at the moment of its schedule.');
      const isAllowed = environmentsOf(one, rules).every((each) => may(['APPLY_CHANGE_REQUEST'], project, each));
      if (isAllowed && needs.every((need) => may(need.permissions, need.project))) return;
      throw new ApiError('NoAccessError', `${scheduledBy.name}, who has scheduled it, may not apply it any more.`);
    },
    rules: () => loadRules(request, project, environment),
    besides: (one) => [
      requestEvent('change-request-scheduled-application-success', one, { scheduledBy: scheduledBy.name }),
    ],
  });
}

/** Tells whether a request is still under the schedule that was found, for the content that it was given for. */
function isDue({ state, schedule, contentHash }: ChangeRequest, { at: scheduledAt }: Due): boolean {
  return (
    state === 'Scheduled' &&
    schedule?.status === 'pending' &&
    schedule.scheduledAt === scheduledAt &&
    schedule.contentHash === contentHash
  );
}

/** @throws ApiError 409 for a schedule that is later than the service applies any. */
async function assertInTime(request: Request, { at: scheduledAt }: Due, now: Date): Promise<void> {
  const { lateMinutesMax } = (await readChangeRequestSettings(request)).value;
  if (lateMinutesMax === null || now.getTime() - Date.parse(scheduledAt) <= lateMinutesMax * 60_000) return;
  throw new ApiError('ConflictError', `It was applied more than ${lateMinutesMax} minutes late.`);
}

/**
 * Notes that a schedule has failed, and why.
 * @throws what is no answer to the request, such as that the store is out of reach.
 */
async function noteFailure(request: Request, due: Due, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || errorStatuses[error.name] >= 500) throw error;
  const reason = error.message;
  return change(request, systemUser, {
    of: [changeRequestKeys.changeRequest(due.id)],
    read: () => changeRequests.find(request, due.id),
    revisionOf: (before) => before,
    decide: (before) => {
      if (before === undefined || !isDue(before.value, due)) return { ...noEffects, result: undefined };
      const after = withStatus(before.value, { status: 'failed', reason, failureReason: reason });
      const scheduledBy = after.schedule?.scheduledBy.name;
      const event = requestEvent('change-request-scheduled-application-failure', after, { reason, scheduledBy });
      return { ...requestUpdated(before, after, [event]), result: undefined };
    },
  });
}
