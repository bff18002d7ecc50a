import type { ReadyOperation } from '../operations.ts';
import type { HostileRequest } from '../request.ts';
import { hostileAddresses } from './addresses.ts';
import { hostileBodies, hostileOperands } from './bodies.ts';
import { hostileEncodings } from './encodings.ts';
import { hostileEvents } from './events.ts';
import { hostileHeaders } from './headers.ts';

const kinds = [hostileEvents, hostileAddresses, hostileHeaders, hostileEncodings, hostileOperands, hostileBodies];

/** Generates the requests designed by hand to break an operation; at most `max`, others for another seed. */
export function requestsByHand(
  operation: ReadyOperation,
  { max, seed }: { max: number; seed: number },
): HostileRequest[] {
  const all = kinds.flatMap((kind) => [...kind(operation)]);
  // All of it where there is no limit.
  const every = Math.max(1, Math.ceil(all.length / max));
  return all.filter((_, index) => (index + seed) % every === 0);
}
