import '../parts/forms/form.css';
import './safeguards.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FlagMetric, Safeguard, SafeguardAction } from '../../features/plans/safeguard-schema.ts';
import { getImpactMetricsMetadata } from '../calls/impact-metrics.ts';
import { ChangeDialog } from '../change/flag-change.tsx';
import { useRead } from '../data/cache.ts';
import { LabelFields } from '../impact-metrics/label-fields.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { aggregationsOf } from '../words/charts.ts';
import { aggregationNames, rangeNames } from '../words/impact-metrics.ts';
import { isShareMetric } from '../words/safeguards.ts';
import { buildSafeguardChange, type SafeguardPlace, type ShownSafeguard } from './safeguard-changes.ts';
import {
  buildNewSafeguard,
  flagModes,
  listSafeguardProblems,
  modeOf,
  type SafeguardDraft,
  toSafeguardDraft,
  toSafeguardInput,
  withKind,
} from './safeguard-draft.ts';
import { flagMetricNames } from './safeguard-words.ts';

interface SafeguardDialogProps extends SafeguardPlace {
  /** The safeguard that is edited; undefined for a new one. */
  readonly safeguard?: ShownSafeguard;
  readonly onClose: () => void;
}

type FieldsProps = {
  readonly draft: SafeguardDraft;
  readonly set: (change: Partial<SafeguardDraft>) => void;
};

const kinds = [
  ['flag', 'What SDKs report about this flag'],
  ['metric', 'An impact metric of your applications'],
  ['alarm', 'A CloudWatch alarm'],
  ['signal', 'A signal from outside'],
] as const;

const planActions: readonly (readonly [SafeguardAction, string])[] = [
  ['pauseReleasePlanProgressions', 'Pause the plan'],
  ['startPreviousMilestone', 'Go back to the previous milestone, and pause'],
  ['disableFeatureEnvironment', 'Switch the flag off'],
];

/** Adds or edits a safeguard: its evidence, the condition, and what it does. */
export function SafeguardDialog({ safeguard, onClose, ...place }: SafeguardDialogProps): JSX.Element {
  const { flag, environment } = place;
  const [plan] = environment.releasePlans;
  const [id] = useState(() => safeguard?.id ?? crypto.randomUUID());
  const [planId, setPlanId] = useState(safeguard === undefined ? plan?.id : place.planId);
  const [draft, setDraft] = useState(
    safeguard === undefined
      ? buildNewSafeguard(plan === undefined ? 'disableFeatureEnvironment' : 'pauseReleasePlanProgressions')
      : toSafeguardDraft(safeguard),
  );
  const set = (change: Partial<SafeguardDraft>) => setDraft({ ...draft, ...change });
  const input = toSafeguardInput(draft, id);
  const where = { flag, environment, planId };
  return (
    <ChangeDialog
      kind="wide"
      flag={flag}
      title={`${safeguard === undefined ? 'Add a safeguard to' : 'Edit the safeguard of'} ${flag.feature.name} in ${environment.name}`}
      verb={safeguard === undefined ? 'Add' : 'Save'}
      change={input && buildSafeguardChange(where, input, safeguard)}
      onClose={onClose}
    >
      <SelectField
        label="Evidence"
        value={draft.kind}
        options={kinds}
        onChoose={(kind) => setDraft(withKind(draft, kind))}
      />
      {draft.kind === 'flag' && <FlagFields draft={draft} set={set} />}
      {draft.kind === 'metric' && <MetricFields draft={draft} set={set} />}
      {draft.kind === 'alarm' && (
        <TextField
          label="Name of the alarm"
          hint="Its name begins with the prefix that was chosen at the deployment."
          isCode
          required
          maxLength={255}
          value={draft.alarm}
          onInput={(alarm) => set({ alarm })}
        />
      )}
      {draft.kind === 'signal' && (
        <TextField
          label="Name (optional)"
          hint="For an alerting system or a pipeline. Create its token once the safeguard is saved."
          maxLength={100}
          placeholder="smoke test"
          value={draft.signal}
          onInput={(signal) => set({ signal })}
        />
      )}
      <div class="form-pair">
        {plan !== undefined && safeguard === undefined && (
          <SelectField
            label="It guards"
            value={planId === undefined ? 'flag' : 'plan'}
            options={[
              ['plan', 'the release plan'],
              ['flag', 'the flag, with or without a plan'],
            ]}
            onChoose={(owner) => {
              setPlanId(owner === 'plan' ? plan.id : undefined);
              set({ action: owner === 'plan' ? 'pauseReleasePlanProgressions' : 'disableFeatureEnvironment' });
            }}
          />
        )}
        <SelectField
          label="Then"
          value={draft.action}
          options={planActions.filter(([action]) => planId !== undefined || action === 'disableFeatureEnvironment')}
          onChoose={(action) => set({ action })}
        />
      </div>
      {input === undefined && <p class="muted">{listSafeguardProblems(draft)[0]}</p>}
    </ChangeDialog>
  );
}

/** The fields for evidence that nobody has to send. */
function FlagFields({ draft, set }: FieldsProps): JSX.Element {
  const { flagMetric, variant } = draft;
  const modes = flagModes[flagMetric];
  return (
    <>
      <div class="form-pair">
        <SelectField
          label="Measure"
          value={flagMetric}
          options={Object.entries(flagMetricNames) as [FlagMetric, string][]}
          onChoose={(chosen) => set({ flagMetric: chosen, aggregationMode: flagModes[chosen][0] ?? 'count' })}
        />
        {flagMetric === 'flag:variant-share' && (
          <TextField label="Variant" required value={variant} onInput={(typed) => set({ variant: typed })} />
        )}
        {modes.length > 1 && <ModeField draft={draft} set={set} modes={modes} />}
      </div>
      <Comparison draft={draft} set={set} ranges={['hour', 'day']} />
    </>
  );
}

/** The fields for an impact metric of applications. */
function MetricFields({ draft, set }: FieldsProps): JSX.Element {
  const { value } = useRead(getImpactMetricsMetadata({}), 30_000);
  const { metric, timeRange, labelSelectors } = draft;
  const metrics = value?.metrics ?? [];
  const known = metrics.find(({ name }) => name === metric);
  const modes = known === undefined ? [draft.aggregationMode] : aggregationsOf[known.type];
  if (metrics.length === 0 && metric === '') {
    return <p>{value === undefined ? '' : 'No application has reported an impact metric yet.'}</p>;
  }
  return (
    <>
      <div class="form-pair">
        <SelectField
          label="Metric"
          hint={known?.help}
          value={metric}
          options={[
            ...(metric === '' ? [['', 'Choose one'] as const] : []),
            ...[...new Set([...metrics.map(({ name }) => name), metric])]
              .filter((name) => name !== '')
              .map((name) => [name, name] as const),
          ]}
          onChoose={(chosen) => {
            const type = metrics.find(({ name }) => name === chosen)?.type ?? 'counter';
            set({ metric: chosen, aggregationMode: aggregationsOf[type][0] ?? 'count', labelSelectors: {} });
          }}
        />
        <ModeField draft={draft} set={set} modes={modes} />
      </div>
      {metric !== '' && (
        <LabelFields
          measure={{ metricName: metric, timeRange, aggregationMode: draft.aggregationMode, labelSelectors }}
          each="Each alone"
          onChange={(chosen) => set({ labelSelectors: chosen })}
        />
      )}
      <Comparison draft={draft} set={set} ranges={['hour', 'day', 'week', 'month']} />
    </>
  );
}

function ModeField({
  draft,
  set,
  modes,
}: FieldsProps & { readonly modes: readonly SafeguardDraft['aggregationMode'][] }): JSX.Element {
  return (
    <SelectField
      label="Values"
      value={modeOf(draft)}
      options={modes.map((mode) => [mode, aggregationNames[mode]] as const)}
      onChoose={(aggregationMode) => set({ aggregationMode })}
    />
  );
}

/** The fields of the condition: over which time, above or below, and of which number. */
function Comparison({
  draft,
  set,
  ranges,
}: FieldsProps & { readonly ranges: readonly Safeguard['impactMetric']['timeRange'][] }): JSX.Element {
  const { kind, flagMetric, timeRange, operator, threshold } = draft;
  const isShare = kind === 'flag' && isShareMetric(flagMetric);
  return (
    <div class="safeguard-comparison">
      <SelectField
        label="In the"
        value={timeRange}
        options={ranges.map((range) => [range, rangeNames[range].toLowerCase()] as const)}
        onChoose={(chosen) => set({ timeRange: chosen })}
      />
      <SelectField
        label="It is"
        value={operator}
        options={[
          ['<', 'below'],
          ['>', 'above'],
        ]}
        onChoose={(chosen) => set({ operator: chosen })}
      />
      <TextField
        label={isShare ? 'Per cent' : 'Number'}
        type="number"
        required
        value={threshold}
        onInput={(typed) => set({ threshold: typed })}
      />
    </div>
  );
}
