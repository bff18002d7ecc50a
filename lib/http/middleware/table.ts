import { tableForRequest } from '../../table/client.ts';
import type { Middleware } from './state.ts';

/** Opens the table that the environment names; the first request of a process does, the others find it open. */
export function table(): Middleware {
  return {
    before: function tableBefore({ context }) {
      context.table = tableForRequest();
    },
  };
}
