import { takesList } from '../../delivery/preview/condition-values.ts';
import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { StrategyBody } from '../calls/strategies.ts';

export type Variant = StrategyView['variants'][number];

/** A strategy as a form holds it. */
export interface Draft {
  readonly title: string;
  readonly disabled: boolean;
  /** The type, such as `flexibleRollout`. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly segments: readonly number[];
  readonly constraints: readonly Constraint[];
  readonly variants: readonly Variant[];
}

/** Builds the draft of a new strategy: everybody gets the flag, unless the project has another default. */
export function buildNewDraft(feature: string, usual: DefaultStrategy | undefined): Draft {
  return {
    title: usual?.title ?? '',
    disabled: usual?.disabled ?? false,
    name: 'flexibleRollout',
    parameters: { rollout: '100', stickiness: 'default', ...usual?.parameters, groupId: feature },
    segments: usual?.segments ?? [],
    constraints: usual?.constraints ?? [],
    variants: usual?.variants ?? [],
  };
}

type DefaultStrategy = NonNullable<EnvironmentOfProject['defaultStrategy']>;

/** The key of the edits of a strategy in this tab. @param strategyId undefined for a new one. */
export function draftKey(
  { project, name }: { readonly project: string; readonly name: string },
  environment: string,
  strategyId: string | undefined,
): string {
  return `draft ${project} ${name} ${environment} ${strategyId ?? 'new'}`;
}

/** Builds the draft of a strategy that exists. */
export function toDraft({ title, disabled, name, parameters, segments, constraints, variants }: StrategyView): Draft {
  return { title: title ?? '', disabled, name, parameters, segments, constraints, variants };
}

/** Returns a draft as the service takes it. */
export function toStrategyBody(draft: Draft): StrategyBody {
  return { ...draft, title: draft.title || null };
}

/** Tells whether a text is a share of users in per cent. */
export const isShare = (text: string) => /^(?:100|\d{1,2}(?:\.\d+)?)$/.test(text);

/** Returns the problems of a draft, in the order of the form. */
export function listDraftProblems({ parameters, constraints, variants }: Draft): string[] {
  const names = variants.map(({ name }) => name);
  const fixed = variants.filter(({ weightType }) => weightType === 'fix');
  const sum = fixed.reduce((total, { weight }) => total + weight, 0);
  const { rollout = '100' } = parameters;
  return [
    ...(isShare(rollout) ? [] : ['The share of users is a number from 0 to 100.']),
    ...listConditionProblems(constraints),
    ...(names.includes('') ? ['Each variant needs a name.'] : []),
    ...(new Set(names).size < names.length ? ['Two variants have the same name.'] : []),
    ...(sum > 1_000 ? ['The fixed shares of the variants add up to more than 100%.'] : []),
    ...(variants.length > 0 && fixed.length === variants.length ? ['One variant must take the rest.'] : []),
  ];
}

/** Returns the problems of conditions: those without a value. */
export function listConditionProblems(conditions: readonly Constraint[]): string[] {
  return conditions
    .filter(({ operator, values = [], value }) => (takesList(operator) ? values.length === 0 : (value ?? '') === ''))
    .map(({ contextName }) => `The condition on ${contextName} needs a value.`);
}

/** Divides the weight that fixed variants leave among the others, as the service does: weights are parts of 1,000. */
export function shareWeights(variants: readonly Variant[]): Variant[] {
  const others = variants.filter(({ weightType }) => weightType !== 'fix');
  const fixed = variants.reduce((sum, { weight, weightType }) => sum + (weightType === 'fix' ? weight : 0), 0);
  let left = Math.max(0, 1_000 - fixed);
  let remaining = others.length;
  return variants.map((variant) => {
    if (variant.weightType === 'fix') return variant;
    const weight = Math.round(left / remaining);
    left -= weight;
    remaining -= 1;
    return { ...variant, weight };
  });
}
