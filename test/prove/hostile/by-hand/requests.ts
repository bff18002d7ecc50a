import type { Operation } from '../operations.ts';
import type { HostileRequest } from '../request.ts';
import { hostileAddresses } from './addresses.ts';
import { hostileBodies } from './bodies.ts';
import { hostileEncodings } from './encodings.ts';
import { hostileEvents } from './events.ts';
import { hostileHeaders } from './headers.ts';
import { hostileOperands } from './operands.ts';

const kinds = [hostileEvents, hostileAddresses, hostileHeaders, hostileEncodings, hostileOperands];

/** The bodies are most of it. */
const share = 3;

/**
 * Everything that somebody thought of to break an operation.
 * @param seed where it is given, it picks a third of the bodies, and leaves out the others.
 */
export function* requestsByHand(operation: Operation, seed?: number): Generator<HostileRequest> {
  for (const kind of kinds) yield* kind(operation);
  let count = seed ?? 0;
  for (const request of hostileBodies(operation)) {
    count += 1;
    if (seed === undefined || count % share === 0) yield request;
  }
}
