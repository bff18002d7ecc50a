import { sessionIn, signOnIn } from '../cookies.ts';
import { publicUrlOf } from '../public-url.ts';
import type { Middleware } from './state.ts';

/**
 * Fills in what API Gateway always sends and an invocation by hand may lack, and hands over what a handler may ask of
 * it.
 */
export function invocation(): Middleware {
  return {
    before: function invocationBefore({ event, context }) {
      event.headers ??= {};
      const { headers, requestContext } = event;
      context.header = (name) => headers[name];
      context.address = requestContext?.http?.sourceIp ?? '';
      context.origin = publicUrlOf(event);
      context.session = sessionIn(event);
      context.signOn = signOnIn(event);
      context.form = new URLSearchParams();
    },
  };
}
