import { type FeatureEnvironment, listAllStrategies, listLiveStrategies } from '../environments/feature-environment.ts';
import { moveClock, type PlanSummary, summarizePlan } from '../plans/plan-summary.ts';
import { servesEverybody } from '../strategies/served-users.ts';

/** The state of a feature in an environment without strategies and variants, for switching and listing. */
export interface EnvironmentSummary {
  readonly enabled: boolean;
  /** The number of live strategies: those of the active milestone, and those of the feature itself. */
  readonly strategies: number;
  readonly enabledStrategies: number;
  readonly variants: number;
  /** Missing without a release plan. */
  readonly plan?: PlanSummary;
  /** The number of safeguards that can switch the feature off; missing for none. */
  readonly safeguards?: number;
  /** The ids of the segments that its strategies use, in any milestone; missing if there are none. */
  readonly segments?: readonly number[];
  /** The names of the context fields that the constraints of these strategies compare; missing if there are none. */
  readonly contextFields?: readonly string[];
  /** The time when the feature was first switched on here; missing if it never was. */
  readonly firstOn?: string;
  /** The version of the feature that wrote the environment's item; 0 if there is no such item. */
  readonly version: number;
}

/** Summarizes the state of a feature in an environment, without its plan (see `addPlan`). */
export function summaryOf(state: FeatureEnvironment, version: number): EnvironmentSummary {
  const { enabled, variants, safeguards } = state;
  const [all, strategies] = [listAllStrategies(state), listLiveStrategies(state)];
  const segments = [...new Set(all.flatMap((strategy) => strategy.segments))];
  const compared = all.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  const contextFields = [...new Set(compared)];
  return {
    enabled,
    strategies: strategies.length,
    enabledStrategies: strategies.filter(({ disabled }) => !disabled).length,
    variants: variants.length,
    ...(safeguards && { safeguards: safeguards.length }),
    ...(segments.length > 0 && { segments }),
    ...(contextFields.length > 0 && { contextFields }),
    version,
  };
}

/** The plan of a feature in an environment before a change, and after it. */
interface PlanChange {
  readonly before: Pick<FeatureEnvironment, 'plan'> | undefined;
  readonly after: Pick<FeatureEnvironment, 'plan' | 'strategies'>;
}

/** Adds the plan to a summary. `moveClocks` then starts or stops its clock. */
export function addPlan(
  summary: EnvironmentSummary,
  { before, after }: PlanChange,
  summaryBefore: EnvironmentSummary | undefined,
  at: string,
): EnvironmentSummary {
  if (after.plan === undefined) return summary;
  const plan = summarizePlan(after.plan, { plan: before?.plan, summary: summaryBefore?.plan }, at);
  return { ...summary, plan: { ...plan, ...(after.strategies.some(servesEverybody) && { isForEverybody: true }) } };
}

type Summaries = ReadonlyMap<string, EnvironmentSummary>;

/** Starts the clocks of the plans of a feature where it is live and switched on, and stops the others. */
export function moveClocks(summaries: Summaries, isLive: boolean, at: string): Summaries {
  return new Map(
    [...summaries].map(([name, summary]) =>
      summary.plan === undefined
        ? [name, summary]
        : [name, { ...summary, plan: moveClock(summary.plan, isLive && summary.enabled, at) }],
    ),
  );
}

/** Tells whether the clock has to watch a safeguard of a live feature in an environment. A plan that stands still is left alone. */
export function isGuarded({ enabled, plan, safeguards = 0 }: EnvironmentSummary): boolean {
  const isStill = plan?.active === undefined || (plan.paused && !plan.movedOn);
  return enabled && (safeguards > 0 || (!isStill && (plan.safeguards ?? 0) > 0));
}

/** Adds the time when the feature was first switched on to a summary. */
export function addEnabledAt(
  summary: EnvironmentSummary,
  before: EnvironmentSummary | undefined,
  at: string | undefined,
): EnvironmentSummary {
  const isFirst = summary.enabled && before?.enabled !== true;
  const firstOn = before?.firstOn ?? (isFirst ? at : undefined);
  return { ...summary, ...(firstOn !== undefined && { firstOn }) };
}
