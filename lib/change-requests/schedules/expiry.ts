import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { systemUser } from '../../events/actor.ts';
import { runEach } from '../../helpers/run-all.ts';
import type { Request } from '../../request.ts';
import { expiryOf } from '../change-request.ts';
import { changeRequests, decideCancellation } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { listDue } from './schedule.ts';

/** Cancels the requests that have expired. */
export async function cancelExpired(request: Request, now: Date): Promise<void> {
  await runEach(await listDue(request, changeRequestKeys.expiries(), now), ({ id, at: expiresAt }) =>
    change(request, systemUser, {
      of: [changeRequestKeys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || expiryOf(before.value) !== expiresAt) return { ...noEffects, result: undefined };
        return decideCancellation(before, at, `It was neither applied nor scheduled by ${expiresAt}.`);
      },
    }),
  );
}
