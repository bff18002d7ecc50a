import { tableForRequest } from '../../table/client.ts';
import { Deadline } from '../deadline.ts';
import type { Middleware } from './state.ts';

/**
 * Opens the table that the environment names; the first request of a process does, the others find it open. Nothing is
 * asked of it once the request is answered: neither middy's own time-out nor an error stops what is under way.
 */
export function table(): Middleware {
  return {
    before: function tableBefore({ context }) {
      context.deadline = new Deadline(context.getRemainingTimeInMillis());
      context.table = tableForRequest(context.deadline.signal);
    },
    after: function tableAfter({ context }) {
      context.deadline?.reached();
    },
    onError: function tableOnError({ context }) {
      context.deadline?.givenUp();
    },
  };
}
