import { createEnvironmentRequest } from '../../request.ts';
import { Deadline } from '../deadline.ts';
import type { Middleware, State } from './state.ts';

/**
 * Opens the store that the environment names, once per process. After the reply, the request makes no further calls: neither middy's
 * timeout nor an error would stop running ones. A reply, or an error, waits until the data that it describes are stored durably,
 * since it may describe what another request has just written.
 */
export function openStoreForRequest(): Middleware {
  return {
    before: function openStoreBefore({ context }) {
      context.deadline = new Deadline(context.getRemainingTimeInMillis());
      context.service = { ...createEnvironmentRequest(context.deadline.signal), replyAwaitsDurability: true };
    },
    after: async function openStoreAfter({ context }) {
      await waitUntilDurable(context);
      context.deadline?.reached();
    },
    onError: async function openStoreOnError(request) {
      await waitUntilDurable(request.context).catch((error) => {
        request.error = error;
      });
      request.context.deadline?.givenUp();
    },
  };
}

/** Waits until the data of a reply are durable. @throws ApiError 503 if the disk refuses them, or takes too long. */
async function waitUntilDurable({ service, deadline }: Partial<State>): Promise<void> {
  const kept = service?.store.awaitDurable();
  if (kept !== undefined) await deadline?.whileThereIsTime(kept);
}
