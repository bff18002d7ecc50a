import type { Safeguard } from '../features/plans/safeguard-schema.ts';

/** The measurement of a safeguard, or the reason why there is none. */
export type Evidence = Measurement | { readonly missing: string };

interface Measurement {
  /** The measured values, of which one is enough to trigger. */
  readonly values: readonly [number, ...number[]];
  /** The time of the latest data. */
  readonly at: string;
  /** A text of the sender, such as the reason of a signal. */
  readonly note?: string;
}

/** The state of a safeguard: `no data` if nothing is known, so that it does not trigger. */
export type SafeguardVerdict =
  | { readonly state: 'no data'; readonly reason: string }
  | {
      readonly state: 'quiet' | 'triggered';
      /** The value that is nearest to triggering, or furthest beyond. */
      readonly value: number;
      readonly at: string;
      readonly note?: string;
    };

/** Compares the evidence of a safeguard with its threshold. */
export function evaluateSafeguard(
  { triggerCondition }: Pick<Safeguard, 'triggerCondition'>,
  evidence: Evidence,
): SafeguardVerdict {
  if ('missing' in evidence) return { state: 'no data', reason: evidence.missing };
  const { values, ...others } = evidence;
  const { operator, threshold } = triggerCondition;
  const value = operator === '>' ? Math.max(...values) : Math.min(...values);
  const isTriggered = operator === '>' ? value > threshold : value < threshold;
  return { state: isTriggered ? 'triggered' : 'quiet', value, ...others };
}
