import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { isOnForSdks } from '../../features/strategies/served-state.ts';
import { type EvaluableFeature, Evaluation } from '../evaluation/evaluation.ts';
import { conditionValues } from './condition-values.ts';
import { buildTypedContext, type TypedContext } from './typed-context.ts';

/** A segment as an evaluation reads it. */
export interface PreviewSegment {
  readonly id: number;
  readonly constraints: readonly Constraint[];
}

/** The numbers of made-up users who get a flag now, after a change, and newly or no longer. */
export interface AudienceCounts {
  readonly users: number;
  readonly before: number;
  readonly after: number;
  readonly gained: number;
  readonly lost: number;
}

/** The parts of a flag in an environment that decide who gets it; a strategy may be one that is still being written. */
export interface MeasuredState {
  readonly enabled: boolean;
  readonly strategies: readonly (NonNullable<EvaluableFeature['strategies']>[number] & {
    readonly disabled: boolean;
    readonly segments: readonly number[];
    readonly constraints: readonly Constraint[];
  })[];
}

/** A field of a context with the values that made-up users have. */
export interface FieldSamples {
  readonly field: string;
  readonly values: readonly string[];
}

/** A value that no condition names. */
const otherValue = 'another value';

/** Lists the conditions of states of a flag: those of its strategies, and those of the segments that these use. */
export function listConditions(states: readonly MeasuredState[], segments: readonly PreviewSegment[]): Constraint[] {
  const strategies = states.flatMap((state) => state.strategies);
  const ids = new Set(strategies.flatMap((strategy) => strategy.segments));
  const used = segments.filter(({ id }) => ids.has(id));
  return [...strategies, ...used].flatMap(({ constraints }) => constraints);
}

/** Converts a state of a flag for an evaluation, as SDKs get it. */
export function toEvaluable(name: string, { enabled, strategies }: MeasuredState): EvaluableFeature {
  const active = strategies.filter(({ disabled }) => !disabled);
  const isOn = isOnForSdks({ enabled, strategies: strategies.length, enabledStrategies: active.length });
  return { name, enabled: isOn, strategies: active };
}

/**
 * Returns the values of made-up users for the fields that conditions compare: the legal values of a field, otherwise the values in
 * the conditions and one beside them.
 */
export function sampleFields(
  conditions: readonly Constraint[],
  legalValuesOf: (field: string) => readonly string[],
): FieldSamples[] {
  return [...Map.groupBy(conditions, ({ contextName }) => contextName)]
    .filter(([field]) => field !== 'userId' && field !== 'sessionId')
    .map(([field, all]) => {
      const legal = legalValuesOf(field);
      const values = legal.length > 0 ? legal : [...all.flatMap(conditionValues), otherValue];
      return { field, values: [...new Set(values)] };
    });
}

/**
 * Evaluates a flag before and after a change for made-up users, by the code with which the service evaluates flags.
 * @param users their number. User n is always the same, so that a larger number only adds users.
 */
export function measureAudience(
  before: EvaluableFeature,
  after: EvaluableFeature,
  segments: readonly PreviewSegment[],
  fields: readonly FieldSamples[],
  users: number,
): AudienceCounts {
  const known = new Map(segments.map((segment) => [segment.id, segment]));
  const evaluationOf = (feature: EvaluableFeature) => new Evaluation({ features: [feature], segments: known });
  const [first, second] = [evaluationOf(before), evaluationOf(after)];
  const counts = { users, before: 0, after: 0, gained: 0, lost: 0 };
  for (let user = 0; user < users; user += 1) {
    const made = makeUpUser(user, fields);
    const was = first.evaluate(before.name, buildTypedContext(made))?.enabled ?? false;
    const is = second.evaluate(after.name, buildTypedContext(made))?.enabled ?? false;
    if (was) counts.before += 1;
    if (is) counts.after += 1;
    if (is && !was) counts.gained += 1;
    if (was && !is) counts.lost += 1;
  }
  return counts;
}

/** Makes up a user: the values of each field take turns, those of later fields more slowly. */
function makeUpUser(user: number, fields: readonly FieldSamples[]): TypedContext {
  const made: Record<string, string> = { userId: `user-${user}`, sessionId: `session-${user}` };
  let turn = user;
  for (const { field, values: all } of fields) {
    made[field] = all[turn % all.length] ?? '';
    turn = Math.floor(turn / all.length);
  }
  return made;
}
