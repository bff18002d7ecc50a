import type { FlagMetric, Safeguard, SafeguardAction, SafeguardInput } from '../../features/plans/safeguard-schema.ts';
import { isShareMetric, kindOfMetric } from '../words/safeguards.ts';

/** A safeguard as a form holds it. */
export interface SafeguardDraft {
  /** The kind of evidence. */
  readonly kind: ReturnType<typeof kindOfMetric>;
  readonly flagMetric: FlagMetric;
  /** The variant whose share is watched. */
  readonly variant: string;
  /** The name of an impact metric. */
  readonly metric: string;
  readonly labelSelectors: Safeguard['impactMetric']['labelSelectors'];
  /** The name of a CloudWatch alarm. */
  readonly alarm: string;
  /** The name of a signal; empty for one without. */
  readonly signal: string;
  readonly timeRange: Safeguard['impactMetric']['timeRange'];
  readonly aggregationMode: Safeguard['impactMetric']['aggregationMode'];
  readonly operator: Safeguard['triggerCondition']['operator'];
  /** The threshold; a percentage for shares. */
  readonly threshold: string;
  readonly action: SafeguardAction;
}

/** The ways to make one number of what SDKs report about the flag, by its metric. */
export const flagModes: Readonly<Record<FlagMetric, readonly Safeguard['impactMetric']['aggregationMode'][]>> = {
  'flag:evaluations': ['count', 'rps'],
  'flag:yes-rate': ['avg'],
  'flag:variant-share': ['avg'],
  'flag:instances': ['count'],
};

export function buildNewSafeguard(action: SafeguardAction): SafeguardDraft {
  return {
    ...{
      kind: 'flag',
      flagMetric: 'flag:evaluations',
      variant: '',
      metric: '',
      labelSelectors: {},
      alarm: '',
      signal: '',
    },
    ...{ timeRange: 'hour', aggregationMode: 'count', operator: '<', threshold: '', action },
  };
}

/** Chooses another kind of evidence. Too few evaluations are a bad sign; of a metric, such as errors, it is more often too much. */
export function withKind(draft: SafeguardDraft, kind: SafeguardDraft['kind']): SafeguardDraft {
  return { ...draft, kind, aggregationMode: 'count', labelSelectors: {}, operator: kind === 'flag' ? '<' : '>' };
}

export function toSafeguardDraft({
  impactMetric,
  triggerCondition,
  action,
}: Pick<Safeguard, 'impactMetric' | 'triggerCondition' | 'action'>): SafeguardDraft {
  const { metricName, timeRange, aggregationMode, labelSelectors } = impactMetric;
  const { operator, threshold } = triggerCondition;
  const kind = kindOfMetric(metricName);
  const name = metricName.slice(metricName.indexOf(':') + 1);
  return {
    ...buildNewSafeguard(action.type),
    ...{ kind, timeRange, aggregationMode, operator },
    threshold: String(isShareMetric(metricName) ? Number((threshold * 100).toPrecision(12)) : threshold),
    ...(kind === 'flag' && { flagMetric: metricName as FlagMetric, variant: labelSelectors.variant?.[0] ?? '' }),
    ...(kind === 'metric' && { metric: metricName, labelSelectors }),
    ...(kind === 'alarm' && { alarm: name }),
    ...(kind === 'signal' && { signal: metricName === 'signal' ? '' : name }),
  };
}

/** A safeguard as the console sends it, always with its action. */
export type WrittenSafeguard = SafeguardInput & Required<Pick<SafeguardInput, 'action'>>;

/** Returns a draft as the service takes it; undefined while it is incomplete. @param id that of the safeguard; a new one adds a safeguard. */
export function toSafeguardInput(draft: SafeguardDraft, id: string): WrittenSafeguard | undefined {
  if (listSafeguardProblems(draft).length > 0) return undefined;
  const { kind, flagMetric, variant, metric, labelSelectors, alarm, signal, timeRange, operator, action } = draft;
  const isOnOrOff = kind === 'alarm' || kind === 'signal';
  const metricName = { flag: flagMetric, metric, alarm: `alarm:${alarm.trim()}`, signal: signalName(signal) }[kind];
  const threshold = Number(draft.threshold);
  const ofVariant = isVariant(draft) ? { variant: [variant.trim()] } : {};
  return {
    id,
    impactMetric: {
      ...{ metricName, timeRange: isOnOrOff ? 'hour' : timeRange, source: 'internal' as const },
      aggregationMode: isOnOrOff ? 'count' : modeOf(draft),
      labelSelectors: kind === 'metric' ? labelSelectors : ofVariant,
    },
    triggerCondition: isOnOrOff
      ? { operator: '>', threshold: 0 }
      : { operator, threshold: isShareMetric(metricName) ? threshold / 100 : threshold },
    action: { type: action },
  };
}

const signalName = (signal: string) => (signal.trim() === '' ? 'signal' : `signal:${signal.trim()}`);

const isVariant = ({ kind, flagMetric }: SafeguardDraft) => kind === 'flag' && flagMetric === 'flag:variant-share';

/** Returns the way to make one number of a metric: the chosen one, if the metric has it. */
export function modeOf({ kind, flagMetric, aggregationMode }: SafeguardDraft): SafeguardDraft['aggregationMode'] {
  const modes = kind === 'flag' ? flagModes[flagMetric] : [aggregationMode];
  return modes.includes(aggregationMode) ? aggregationMode : (modes[0] ?? aggregationMode);
}

/** Returns the problems of a draft, in the order of the form. */
export function listSafeguardProblems(draft: SafeguardDraft): string[] {
  const { kind, variant, metric, alarm, signal, threshold } = draft;
  const isNumber = threshold.trim() !== '' && Number.isFinite(Number(threshold));
  return [
    ...(isVariant(draft) && variant.trim() === '' ? ['Which variant?'] : []),
    ...(kind === 'metric' && metric === '' ? ['Which metric?'] : []),
    ...(kind === 'alarm' && alarm.trim() === '' ? ['Which alarm?'] : []),
    ...(kind === 'signal' && !/^[\w -]{0,100}$/.test(signal.trim())
      ? ['The name of a signal has letters, digits, spaces, - and _ only.']
      : []),
    ...((kind === 'flag' || kind === 'metric') && !isNumber ? ['A number is needed to compare with.'] : []),
  ];
}

/** Tells whether a changed safeguard acts at least as early as before, and is otherwise the same. */
export function isTighter(
  before: Pick<Safeguard, 'impactMetric' | 'triggerCondition' | 'action'>,
  after: WrittenSafeguard,
): boolean {
  const contentOf = ({ impactMetric, triggerCondition, action }: typeof before | WrittenSafeguard) => {
    const { metricName, timeRange, aggregationMode, labelSelectors } = impactMetric;
    const selected = Object.entries(labelSelectors).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([metricName, timeRange, aggregationMode, selected, triggerCondition.operator, action.type]);
  };
  const [old, next] = [before.triggerCondition.threshold, after.triggerCondition.threshold];
  if (contentOf(before) !== contentOf(after)) return false;
  return before.triggerCondition.operator === '>' ? next <= old : next >= old;
}
