import { callerAddress } from '../caller-address.ts';
import { sessionIn, signOnIn } from '../cookies.ts';
import { publicUrlOf } from '../public-url.ts';
import type { Middleware } from './state.ts';

/**
 * Adds everything that API Gateway always sends and an event made by hand may lack, and adds the parts of the event that handlers use
 * to the context.
 */
export function invocation(): Middleware {
  return {
    before: function invocationBefore({ event, context }) {
      event.headers ??= {};
      const { headers } = event;
      context.header = (name) => headers[name];
      context.address = callerAddress(event);
      context.origin = publicUrlOf(event);
      context.session = sessionIn(event);
      context.signOn = signOnIn(event);
      context.form = new URLSearchParams();
    },
  };
}
