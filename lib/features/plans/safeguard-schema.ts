import * as v from 'valibot';
import {
  type AggregationMode,
  aggregationModes,
  metricRanges,
} from '../../usage/impact-metrics/impact-metrics-schema.ts';
import {
  name,
  noNegativeZero,
  nonEmptyText,
  object,
  pathItem,
  record,
  text,
  textOfLength,
  timestamp,
} from '../../values/primitives.ts';

/** The most safeguards of a plan, and of a feature in an environment. */
export const safeguardsMax = 10;
/** The most labels that a safeguard selects, and the most values of each. */
const labelsMax = 10;
const labelValuesMax = 50;

/** The evidence that nobody has to send: what SDKs report about the feature itself, and the aggregations of each. */
const flagMetrics = {
  /** The number of evaluations of the feature. */
  'flag:evaluations': ['count', 'rps'],
  /** The share of evaluations in which the feature was on, from 0 to 1. */
  'flag:yes-rate': ['avg'],
  /** The share of a variant in all variants that SDKs got, from 0 to 1. The label `variant` names the variant. */
  'flag:variant-share': ['avg'],
  /** The number of instances that report evaluations of the feature. */
  'flag:instances': ['count'],
} as const satisfies Readonly<Record<string, readonly AggregationMode[]>>;
export type FlagMetric = keyof typeof flagMetrics;

/** The name of a metric that is the state of a CloudWatch alarm begins with it; the name of the alarm follows. */
const alarmPrefix = 'alarm:';

/** Tells whether a metric is about the feature itself. */
export function isFlagMetric(metricName: string): metricName is FlagMetric {
  return Object.hasOwn(flagMetrics, metricName);
}

/** Returns the CloudWatch alarm that a metric is about; undefined for another metric. */
export function alarmOf(metricName: string): string | undefined {
  return metricName.startsWith(alarmPrefix) ? metricName.slice(alarmPrefix.length) : undefined;
}

/** Tells whether a metric is a signal from outside: `signal`, or `signal:` and a name for people. */
export function isSignal(metricName: string): boolean {
  return metricName === 'signal' || metricName.startsWith('signal:');
}

/**
 * The name of a metric: an impact metric of SDKs, one of `flag:…` about the feature itself, `alarm:NAME` for a CloudWatch alarm, or
 * `signal` or `signal:NAME` for a signal from outside.
 */
const metricName = v.pipe(
  text,
  v.check(
    (metric) =>
      /^(?!__)[A-Za-z_]\w{0,99}$/.test(metric) ||
      isFlagMetric(metric) ||
      /^alarm:\P{Cc}{1,255}$/u.test(metric) ||
      /^signal:[\w -]{1,100}$/.test(metric),
    `The name of an impact metric is required, or one of ${Object.keys(flagMetrics).join(', ')}, alarm:NAME, signal and signal:NAME.`,
  ),
);

/** The values that each label may have; `*` allows all of them, and looks at each of them alone. */
const labelSelectors = v.pipe(
  record(
    v.pipe(v.array(textOfLength(0, 100)), v.maxLength(labelValuesMax, `A label has at most ${labelValuesMax} values.`)),
  ),
  v.check((labels) => Object.keys(labels).length <= labelsMax, `At most ${labelsMax} labels can be selected.`),
);

const measureEntries = {
  timeRange: v.picklist(metricRanges),
  aggregationMode: v.picklist(aggregationModes),
};

/** The measurement of a safeguard in requests. */
const measureInput = object({
  metricName,
  ...measureEntries,
  labelSelectors: v.optional(labelSelectors, () => ({})),
  source: v.exactOptional(
    v.pipe(
      v.picklist(['internal', 'external']),
      v.check((source) => source === 'internal', 'No external source of metrics can be read.'),
    ),
    'internal',
  ),
});
type MeasureInput = v.InferOutput<typeof measureInput>;

const triggerCondition = object({
  operator: v.picklist(['>', '<']),
  threshold: v.pipe(v.number(), v.finite('The threshold must be a finite number.'), noNegativeZero),
});

/** The actions of a safeguard of a plan. Each leads to a state that was live before, or to off. */
const planActions = ['pauseReleasePlanProgressions', 'startPreviousMilestone', 'disableFeatureEnvironment'] as const;
export type SafeguardAction = (typeof planActions)[number];

/** The fields that are checked together. */
interface MeasuredCondition {
  readonly impactMetric: MeasureInput;
  readonly triggerCondition: v.InferOutput<typeof triggerCondition>;
}

/** Builds the schema of a safeguard in requests that has one of some actions. */
function buildSafeguardInput<const TActions extends readonly [SafeguardAction, ...SafeguardAction[]]>(
  actions: TActions,
) {
  return v.pipe(
    object({
      /**
       * The id of the safeguard to replace, or a new one for one to add. Without an id, the first safeguard is replaced, if there is
       * any: Unleash's admin UI knows only one, and sends no id.
       */
      id: v.exactOptional(name),
      impactMetric: measureInput,
      triggerCondition,
      /**
       * Fields other than the type are ignored. Without it, a replaced safeguard keeps its action, which Unleash's admin UI does not
       * know. A new one pauses the plan; one of an environment switches the feature off.
       */
      action: v.exactOptional(object({ type: v.picklist(actions) })),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const value: MeasuredCondition = dataset.value;
      for (const { path, message } of listProblems(value))
        addIssue({ message, path: [pathItem(path[0]), ...path.slice(1).map(pathItem)] });
    }),
  );
}

interface Problem {
  readonly path: readonly [string, ...string[]];
  readonly message: string;
}

/** Lists the problems of a safeguard that concern several of its fields. */
function listProblems({ impactMetric, triggerCondition: { operator, threshold } }: MeasuredCondition): Problem[] {
  const { metricName: metric } = impactMetric;
  if (isFlagMetric(metric)) return listFlagProblems(metric, impactMetric);
  if (alarmOf(metric) === undefined && !isSignal(metric)) return [];
  const problems = listUnknownLabels(impactMetric, []);
  if (operator === '>' && threshold === 0) return problems;
  const message = 'An alarm or a signal has the value 1 while it is on, and otherwise 0: the condition is "> 0".';
  return [...problems, { path: ['triggerCondition'], message }];
}

function listFlagProblems(metric: FlagMetric, measure: MeasureInput): Problem[] {
  const modes: readonly string[] = flagMetrics[metric];
  const variants = measure.labelSelectors.variant ?? [];
  const isShare = metric === 'flag:variant-share';
  const problems = listUnknownLabels(measure, isShare ? ['variant'] : []);
  const add = (field: string, message: string) => problems.push({ path: ['impactMetric', field], message });
  if (!modes.includes(measure.aggregationMode))
    add('aggregationMode', `${metric} is aggregated by ${modes.join(' or ')}.`);
  if (!['hour', 'day'].includes(measure.timeRange)) add('timeRange', `${metric} is known for an hour or a day.`);
  if (isShare && (variants.length !== 1 || variants[0] === '*')) {
    add('labelSelectors', `${metric} needs the name of one variant, such as {"variant":["blue"]}.`);
  }
  return problems;
}

function listUnknownLabels({ metricName: metric, labelSelectors: labels }: MeasureInput, known: readonly string[]) {
  return Object.keys(labels)
    .filter((label) => !known.includes(label))
    .map(
      (label): Problem => ({
        path: ['impactMetric', 'labelSelectors', label],
        message: `${metric} has no label "${label}".`,
      }),
    );
}

/** A safeguard of a plan in requests. */
export const planSafeguardInput = buildSafeguardInput(planActions);

/** A safeguard of a feature in an environment in requests. It can only switch the feature off. */
export const environmentSafeguardInput = buildSafeguardInput(['disableFeatureEnvironment']);
export type SafeguardInput = v.InferOutput<typeof planSafeguardInput | typeof environmentSafeguardInput>;

const replyEntries = {
  id: text,
  impactMetric: object({
    id: text,
    metricName: nonEmptyText,
    ...measureEntries,
    labelSelectors: v.record(text, v.array(text)),
    source: v.exactOptional(v.picklist(['internal', 'external'])),
  }),
  triggerCondition,
  /** The time at which it last acted; missing if it never did. */
  triggeredAt: v.exactOptional(timestamp),
};

/** A safeguard of a plan or of a feature in an environment, as it is stored. */
export interface Safeguard {
  readonly id: string;
  readonly impactMetric: v.InferOutput<typeof replyEntries.impactMetric>;
  readonly triggerCondition: v.InferOutput<typeof triggerCondition>;
  readonly action: { readonly type: SafeguardAction };
  /** The time at which it last acted. Earlier evidence does not count again. */
  readonly triggeredAt?: string;
}

/** A safeguard of a plan in replies. */
export const planSafeguard = object({
  ...replyEntries,
  /** `id` is that of the plan. */
  action: object({ type: v.picklist(planActions), id: text }),
});
export type PlanSafeguardView = v.InferOutput<typeof planSafeguard>;

/** A safeguard of a feature in an environment in replies. */
export const environmentSafeguard = object({
  ...replyEntries,
  action: object({ type: v.literal('disableFeatureEnvironment'), project: name, featureName: name, environment: name }),
});
export type EnvironmentSafeguardView = v.InferOutput<typeof environmentSafeguard>;
