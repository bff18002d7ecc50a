import fc from 'fast-check';
import type { ClientRequest, Facts } from './history.ts';
import { planKinds } from './model/plans.ts';
import { anyPlan } from './plan/any-request.ts';
import { oneIn } from './plan/any-values.ts';

/** A request, and how it is sent. */
export interface PlannedCall {
  readonly request: ClientRequest;
  /** True if it requires the version of the feature that its client has seen last. */
  readonly isBound: boolean;
  /**
   * Manner of sending. With a key, a call answered by 5xx is sent again; it may be sent again after any answer, and
   * twice at once.
   */
  readonly sending: 'without key' | 'with key' | 'again' | 'twice at once';
}

interface PlanOptions {
  readonly facts: Facts;
  readonly seed: number;
  readonly calls: number;
  readonly client: string;
}

/** Plans the calls of a client, one after the other: the same for the same seed. */
export function planOf({ facts, seed, calls, client }: PlanOptions): PlannedCall[] {
  const anyCall = fc.record({ plan: anyPlan(facts), isBound: oneIn(8), sending: anySending });
  return fc.sample(anyCall, { seed, numRuns: calls }).map(({ plan, isBound, sending }, index) => {
    const request = plan(`${client} ${index}`);
    const isRead = request.kind.startsWith('read');
    return { request, isBound: isBound && versioned.includes(request.kind), sending: isRead ? 'without key' : sending };
  });
}

/** Requests that answer with the new version of a feature, and can require one. */
const versioned: readonly ClientRequest['kind'][] = [
  ...(['update', 'variants', 'add tag'] as const),
  ...(['add strategy', 'update strategy', 'patch strategy', 'delete strategy', 'order strategies'] as const),
  ...(['on', 'off', ...planKinds] as const),
];

const anySending = fc.oneof(
  { weight: 70, arbitrary: fc.constant('without key' as const) },
  { weight: 20, arbitrary: fc.constant('with key' as const) },
  { weight: 6, arbitrary: fc.constant('again' as const) },
  { weight: 4, arbitrary: fc.constant('twice at once' as const) },
);
