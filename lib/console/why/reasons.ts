import type { ExplainedStrategy, ExplanationResult } from '../../delivery/evaluation/explanation.ts';
import type { TypedContext } from '../../delivery/preview/typed-context.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { describeStrategy } from '../words/events.ts';

/** A strategy with the results of its conditions. */
type Explained = Pick<ExplainedStrategy, 'constraints' | 'segments'> & {
  readonly strategy: Pick<ExplainedStrategy['strategy'], 'name' | 'disabled' | 'parameters'>;
};

/** The result of a flag, as far as its verdict needs it. */
type Explanation = Pick<ExplanationResult, 'isEnabled' | 'hasUnsatisfiedDependency'> & {
  readonly strategies: readonly (Explained & { readonly result: Pick<ExplainedStrategy['result'], 'enabled'> })[];
};

/** Returns the reason for which a strategy decides at random for a context; undefined if it always decides the same. */
export function describeChance(
  { strategy, constraints, segments }: Explained,
  typed: TypedContext,
): string | undefined {
  const { name, disabled, parameters } = strategy;
  const { rollout = '100', stickiness = 'default' } = parameters;
  const isShare = name === 'flexibleRollout' && Number(rollout) > 0 && Number(rollout) < 100;
  const areMet = [...constraints, ...segments].every(({ result }) => result);
  if (disabled || !isShare || !areMet) return undefined;
  if (stickiness === 'random') return 'random each time, as the strategy says';
  if (stickiness !== 'default' || typed.userId || typed.sessionId) return undefined;
  return 'random, since there is no userId';
}

/** Tells whether a condition does not hold only because some letters are small or capital. */
export function missesByCase(
  { contextName, operator, values = [], inverted, result }: Constraint & { readonly result: boolean },
  typed: TypedContext,
): boolean {
  const text = typed[contextName]?.toLowerCase();
  const compare = comparisons[operator];
  if (result || inverted || text === undefined || text === '' || compare === undefined) return false;
  return values.some((value) => value !== '' && compare(text, value.trim().toLowerCase()));
}

const comparisons: Partial<Record<Constraint['operator'], (text: string, value: string) => boolean>> = {
  IN: (text, value) => text === value,
  STR_STARTS_WITH: (text, value) => text.startsWith(value),
  STR_ENDS_WITH: (text, value) => text.endsWith(value),
  STR_CONTAINS: (text, value) => text.includes(value),
};

/** The result of a flag for a context: on, off, or by chance, and the sentence that says why it is so. */
interface Verdict {
  readonly word: 'On' | 'Off' | 'Random';
  readonly reason: string | undefined;
}

/** Describes the result of a flag for somebody, with the strategy that decides. @param isOn true if the flag is on there. */
export function describeVerdict(
  { isEnabled, hasUnsatisfiedDependency, strategies }: Explanation,
  typed: TypedContext,
  isOn: boolean,
): Verdict {
  const sure = strategies.find((each) => each.result.enabled === true && describeChance(each, typed) === undefined);
  if (isEnabled && sure !== undefined)
    return { word: 'On', reason: `by the strategy “${describeStrategy({ ...sure.strategy })}”` };
  const chance = strategies.map((each) => describeChance(each, typed)).find((each) => each !== undefined);
  if (isOn && !hasUnsatisfiedDependency && chance !== undefined)
    return { word: 'Random', reason: chance.replace(/^random[, ]*/, '') };
  return { word: isEnabled ? 'On' : 'Off', reason: undefined };
}
