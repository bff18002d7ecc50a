import { environmentRequest } from '../../request.ts';
import { Deadline } from '../deadline.ts';
import type { Middleware } from './state.ts';

/**
 * Opens the store that the environment names; the first request of a process does, the others find it open. Nothing is
 * asked of it once the request is answered: neither middy's own time-out nor an error stops what is under way.
 */
export function openingStore(): Middleware {
  return {
    before: function openStoreBefore({ context }) {
      context.deadline = new Deadline(context.getRemainingTimeInMillis());
      context.request = environmentRequest(context.deadline.signal);
    },
    after: function openStoreAfter({ context }) {
      context.deadline?.reached();
    },
    onError: function openStoreOnError({ context }) {
      context.deadline?.givenUp();
    },
  };
}
