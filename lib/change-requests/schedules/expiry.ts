import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { systemUser } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { dueUntil, type Key } from '../../store/client/definition.ts';
import { workThrough } from '../../store/work-through.ts';
import type { TimeBudget } from '../../values/time-budget.ts';
import { expiryOf } from '../change-request.ts';
import { changeRequests, decideCancellation } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { parseDue } from './due-entries.ts';

/**
 * Cancels the requests that have expired.
 * @returns false if some are left for the next call.
 * @throws Error the first failure, after all others.
 */
export function cancelExpired(request: Request, now: Date, budget?: TimeBudget): Promise<boolean> {
  return workThrough<Key>(request, changeRequestKeys.expiries(), { upTo: dueUntil(now), budget }, (item) => {
    const { id, at: expiresAt } = parseDue(item);
    return change(request, systemUser, {
      items: [changeRequestKeys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || expiryOf(before.value) !== expiresAt) return { ...noEffects, result: undefined };
        return decideCancellation(before, at, `It was neither applied nor scheduled by ${expiresAt}.`);
      },
    });
  });
}
