import type { Middleware } from './state.ts';

/** Fills in what API Gateway always sends, but whoever invokes the function by hand may leave out. */
export function invocation(): Middleware {
  return {
    before: function invocationBefore({ event }) {
      event.headers ??= {};
    },
  };
}
