import type { Middleware } from './state.ts';

/** Fills in what API Gateway always sends and an invocation by hand may lack. */
export function invocation(): Middleware {
  return {
    before: function invocationBefore({ event }) {
      event.headers ??= {};
    },
  };
}
