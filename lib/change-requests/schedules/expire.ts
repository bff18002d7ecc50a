import { change, noEffects } from '../../entity/change.ts';
import { eachAlone } from '../../entity/each-alone.ts';
import { systemUser } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { requestExpiry } from '../change-request.ts';
import { cancelled, changeRequests } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { dueIn } from './schedule.ts';

/** Cancels the requests that have expired by a moment. */
export async function cancelExpired(request: Request, now: Date): Promise<void> {
  await eachAlone(await dueIn(request, changeRequestKeys.expiries(), now), ({ id, at: expiresAt }) =>
    change(request, systemUser, {
      of: [changeRequestKeys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || requestExpiry(before.value) !== expiresAt)
          return { ...noEffects, result: undefined };
        return cancelled(before, at, `It was neither applied nor scheduled by ${expiresAt}.`);
      },
    }),
  );
}
