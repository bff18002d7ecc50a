import pLimit from 'p-limit';
import { type Activity, carryOut } from '../../activities.ts';
import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { ApiError, errorStatuses } from '../../errors.ts';
import { permitForOwnData, systemUser } from '../../events/actor.ts';
import { loadApprovalGate } from '../../identity/access-flags/approval-gate.ts';
import { buildCaller, loadDecider } from '../../identity/caller.ts';
import type { Request } from '../../request.ts';
import { dueUntil, type Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { chunksOf } from '../../values/lists.ts';
import { endlessTime } from '../../values/time-budget.ts';
import { applyRequest } from '../apply.ts';
import { buildRequestEvent, type ChangeRequest, withStatus } from '../change-request.ts';
import { buildRequestUpdate, changeRequests } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { loadRules, mayDecide } from '../rules.ts';
import { readChangeRequestSettings } from '../settings.ts';
import { type DueEntry, parseDue } from './due-entries.ts';
import { listTouched } from './schedule-references.ts';

/** The most requests that are applied at the same time. */
const concurrencyMax = 10;

/**
 * Applies the due requests, each with the rights and in the name of the person who scheduled it. Requests that change the
 * same thing are applied in the order of their times, others at the same time. A request that cannot be applied gets the
 * status "failed" with the reason. Several processes can do this at the same time: each request is applied once.
 * @returns false if some are left for the next call.
 * @throws Error the first failure of another kind, such as that of the store, at the end.
 */
export async function applyDue(request: Request, now: Date, budget = endlessTime): Promise<boolean> {
  const items = await queryAll<Key>(request, changeRequestKeys.schedules(), { before: dueUntil(now) });
  const limit = pLimit(concurrencyMax);
  const failures: unknown[] = [];
  let begun = 0;
  const hasTime = () => begun < concurrencyMax || !budget.isOver();
  const apply = async (due: DueEntry) => {
    if (!hasTime()) return false;
    begun += 1;
    await carryOut(application, () => applyOrRecord(request, due, now));
    return true;
  };
  /** The last application that changes each thing. It tells whether all earlier ones are done. */
  const lastOf = new Map<unknown, Promise<boolean>>();
  const all: Promise<boolean>[] = [];
  for (const chunk of chunksOf(items.map(parseDue), concurrencyMax)) {
    const touched = await Promise.all(chunk.map((due) => listTouchedBy(request, due)));
    for (const [index, due] of chunk.entries()) {
      const things = touched[index] ?? [];
      const isDone = Promise.all(things.map((thing) => lastOf.get(thing)))
        // If an earlier request has to wait for the next run, this one waits, too.
        .then((done) => !done.includes(false) && limit(() => apply(due)))
        .catch((error: unknown) => {
          failures.push(error);
          return !(error instanceof ApiError);
        });
      for (const thing of things) lastOf.set(thing, isDone);
      all.push(isDone);
    }
    if (!hasTime()) break;
  }
  const done = await Promise.all(all);
  if (failures.length > 0) throw failures[0];
  return done.length === items.length && !done.includes(false);
}

/** Lists the things that a due request changes. */
async function listTouchedBy(request: Request, { id }: DueEntry): Promise<unknown[]> {
  // If the read fails, the application will fail, too, and report it.
  const stored = await changeRequests.find(request, id).catch(() => undefined);
  const { names, ids } = listTouched(stored?.value.changes ?? []);
  return [...names, ...ids];
}

/** Applies a due request, or records the reason why it cannot be applied. */
async function applyOrRecord(request: Request, due: DueEntry, now: Date): Promise<'applied' | 'refused'> {
  try {
    await applyScheduled(request, due, now);
    return 'applied';
  } catch (error) {
    await recordFailure(request, due, error);
    return 'refused';
  }
}

const application: Activity<'applied' | 'refused'> = {
  kind: 'scheduled change',
  name: 'apply',
  outcomeOf: (outcome) => outcome,
};

async function applyScheduled(request: Request, due: DueEntry, now: Date): Promise<void> {
  const { value: stored } = (await changeRequests.find(request, due.id)) ?? {};
  // The due entry of a deleted request would keep the clock running.
  if (stored === undefined)
    return transact(request, [{ remove: changeRequestKeys.schedule(due.at, due.id) }], undefined);
  const { project, environment, schedule } = stored;
  if (!isDue(stored, due)) return;
  // A request of which a part was applied is completed, however late.
  if (stored.applied === undefined) await assertInTime(request, due, now);
  const scheduledBy = schedule?.scheduledBy ?? systemUser;
  const holder = await loadDecider(request, scheduledBy);
  const person = holder && buildCaller(holder, {});
  // Changes in other projects need approval there, just as direct changes by the person.
  const gate = await loadApprovalGate(request, async () => person);
  // `assertMay` checks whether the person still has the permissions.
  await applyRequest({ ...request, gate }, permitForOwnData(scheduledBy), {
    id: due.id,
    load: () => changeRequests.load(request, due.id),
    assertMay(changeRequest, needs, rules) {
      if (!isDue(changeRequest, due))
        throw new ApiError('ConflictError', 'The change request was changed at its scheduled time.');
      const isAllowed =
        person !== undefined &&
        mayDecide(person, 'APPLY_CHANGE_REQUEST', changeRequest, rules) &&
        needs.every((need) => need.permissions.some((permission) => person.may(permission, need.project)));
      if (isAllowed) return;
      throw new ApiError(
        'NoAccessError',
        `${scheduledBy.name}, who scheduled the change request, may no longer apply it.`,
      );
    },
    rules: () => loadRules(request, project, environment),
    furtherEvents: (changeRequest) => [
      buildRequestEvent('change-request-scheduled-application-success', changeRequest, {
        scheduledBy: scheduledBy.name,
      }),
    ],
  });
}

/** Tells whether a due entry is that of the present schedule of a request, and the scheduled content is unchanged. */
function isDue({ state, schedule, contentHash }: ChangeRequest, { at: scheduledAt }: DueEntry): boolean {
  return (
    state === 'Scheduled' &&
    schedule?.status === 'pending' &&
    schedule.scheduledAt === scheduledAt &&
    schedule.contentHash === contentHash
  );
}

/** @throws ApiError 409 for a schedule that is later than the setting `lateMinutesMax` allows. */
async function assertInTime(request: Request, { at: scheduledAt }: DueEntry, now: Date): Promise<void> {
  const { lateMinutesMax } = (await readChangeRequestSettings(request)).value;
  if (lateMinutesMax === null || now.getTime() - Date.parse(scheduledAt) <= lateMinutesMax * 60_000) return;
  throw new ApiError('ConflictError', `It would be applied more than ${lateMinutesMax} minutes late.`);
}

/**
 * Records that a schedule has failed, with the reason.
 * @throws Error errors that do not concern the request, e.g. that the store is unreachable.
 */
async function recordFailure(request: Request, due: DueEntry, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || errorStatuses[error.name] >= 500) throw error;
  const reason = error.message;
  return change(request, systemUser, {
    items: [changeRequestKeys.changeRequest(due.id)],
    read: () => changeRequests.find(request, due.id),
    revisionOf: (before) => before,
    decide: (before) => {
      if (before === undefined || !isDue(before.value, due)) return { ...noEffects, result: undefined };
      const after = withStatus(before.value, { status: 'failed', reason, failureReason: reason });
      const scheduledBy = after.schedule?.scheduledBy.name;
      const event = buildRequestEvent('change-request-scheduled-application-failure', after, { reason, scheduledBy });
      return { ...buildRequestUpdate(before, after, [event]), result: undefined };
    },
  });
}
