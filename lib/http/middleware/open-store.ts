import { createEnvironmentRequest } from '../../request.ts';
import { Deadline } from '../deadline.ts';
import type { Middleware, State } from './state.ts';

/**
 * Opens the store that the environment names; the first request of a process does, the others find it open. Nothing is
 * asked of it once the request is answered: neither middy's own time-out nor an error stops what is under way. The reply
 * waits until what it tells of is kept, a refusal as well: it may tell of what another has just written.
 */
export function openStoreForRequest(): Middleware {
  return {
    before: function openStoreBefore({ context }) {
      context.deadline = new Deadline(context.getRemainingTimeInMillis());
      context.service = { ...createEnvironmentRequest(context.deadline.signal), replyAwaitsDurability: true };
    },
    after: async function openStoreAfter({ context }) {
      await untilKept(context);
      context.deadline?.reached();
    },
    onError: async function openStoreOnError(request) {
      await untilKept(request.context).catch((error) => {
        request.error = error;
      });
      request.context.deadline?.givenUp();
    },
  };
}

/** @throws ApiError 503 where the disk does not take it, or not in time. */
async function untilKept({ service, deadline }: Partial<State>): Promise<void> {
  const kept = service?.store.awaitDurable();
  if (kept !== undefined) await deadline?.whileThereIsTime(kept);
}
