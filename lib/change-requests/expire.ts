import { change } from '../entity/change.ts';
import { eachAlone } from '../entity/each-alone.ts';
import { systemUser } from '../events/actor.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import * as partitions from '../store/partitions.ts';
import { inState, requestEvent, requestExpiry } from './change-request.ts';
import { changeRequests, requestUpdated } from './change-requests.ts';
import { dueIn } from './schedule.ts';

/** Cancels the requests that have expired by a moment. */
export async function cancelExpired(request: Request, now: Date): Promise<void> {
  await eachAlone(await dueIn(request, partitions.expiries(), now), ({ id, at: expiresAt }) =>
    change(request, systemUser, {
      of: [keys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || requestExpiry(before.value) !== expiresAt)
          return { writes: [], events: [], result: undefined };
        const after = inState(before.value, 'Cancelled', at);
        const reason = `It was neither applied nor scheduled by ${expiresAt}.`;
        const event = requestEvent('change-request-cancelled', after, { reason });
        return { ...requestUpdated(before, after, [event]), result: undefined };
      },
    }),
  );
}
