import type { EvaluableFeature } from '../../delivery/evaluation/evaluation.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { type Audience, measureAudience, type PreviewSegment, sampleFields } from './audience.ts';
import { loadExpressions } from './stand-ins/re2.ts';

/** The parts of a flag in an environment that decide who gets it; a strategy may be one that is still being written. */
interface MeasuredState {
  readonly enabled: boolean;
  readonly strategies: readonly (NonNullable<EvaluableFeature['strategies']>[number] & {
    readonly disabled: boolean;
    readonly segments: readonly number[];
    readonly constraints: readonly Constraint[];
  })[];
}

/**
 * Counts the made-up users who get a flag before and after a change.
 * @throws Error if the conditions take more work than a request may.
 */
export async function measureChange(
  name: string,
  before: MeasuredState,
  after: MeasuredState,
  segments: readonly PreviewSegment[],
  legalValuesOf: (field: string) => readonly string[],
  users: number,
): Promise<Audience> {
  const all = [...before.strategies, ...after.strategies];
  const ids = new Set(all.flatMap((strategy) => strategy.segments));
  const conditions: Constraint[] = [
    ...all.flatMap(({ constraints }) => constraints),
    ...segments.filter(({ id }) => ids.has(id)).flatMap(({ constraints }) => constraints),
  ];
  if (conditions.some(({ operator }) => operator === 'REGEX')) await loadExpressions();
  const [first, second] = [before, after].map(({ enabled, strategies }) => {
    const active = strategies.filter(({ disabled }) => !disabled);
    // SDKs switch a flag without a strategy on for everybody, but not one whose strategies are all switched off.
    return { name, enabled: enabled && (active.length > 0 || strategies.length === 0), strategies: active };
  });
  if (first === undefined || second === undefined) throw new Error('There are two states.');
  return measureAudience(first, second, segments, sampleFields(conditions, legalValuesOf), users);
}
