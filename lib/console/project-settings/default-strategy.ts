import type { DefaultStrategy } from '../calls/projects.ts';
import { countOf } from '../words/numbers.ts';

/** The default strategy of an environment, as far as the settings of a project edit it. */
export interface DefaultStrategyDraft {
  readonly rollout: number;
  readonly stickiness: string;
}

/** Returns the default strategy as a draft; without one, a flag that is switched on is on for everyone. */
export function toStrategyDraft(strategy: DefaultStrategy | undefined): DefaultStrategyDraft {
  const { rollout = '100', stickiness = 'default' } = strategy?.parameters ?? {};
  return { rollout: Number(rollout), stickiness };
}

/** Returns the strategy of a draft. Its conditions, segments and variants stay as they were. */
export function buildDefaultStrategy(
  before: DefaultStrategy | undefined,
  { rollout, stickiness }: DefaultStrategyDraft,
): DefaultStrategy {
  return {
    ...before,
    name: 'flexibleRollout',
    parameters: {
      ...before?.parameters,
      rollout: String(rollout),
      stickiness,
      groupId: before?.parameters?.groupId ?? '',
    },
  };
}

/** Describes the effect of switching a flag on: "on for 60%, the same ones each time by userId". */
export function describeDefaultStrategy(strategy: DefaultStrategy | undefined): string {
  const { rollout, stickiness } = toStrategyDraft(strategy);
  const { constraints = [], segments = [], variants = [] } = strategy ?? {};
  const byStickiness = stickiness === 'random' ? ', by chance each time' : `, the same ones each time by ${stickiness}`;
  const by = stickiness === 'default' ? '' : byStickiness;
  const further = [
    ...(constraints.length > 0 ? [countOf(constraints.length, 'condition')] : []),
    ...(segments.length > 0 ? [countOf(segments.length, 'segment')] : []),
    ...(variants.length > 0 ? [countOf(variants.length, 'variant')] : []),
  ];
  const audience = rollout === 100 ? 'everyone' : `${rollout}% of users${by}`;
  return `A flag that is switched on is on for ${audience}${further.length > 0 ? `, with ${further.join(', ')}` : ''}`;
}
