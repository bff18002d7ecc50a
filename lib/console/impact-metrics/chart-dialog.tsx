import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImpactChartView } from '../../usage/impact-metrics/chart-schema.ts';
import type { AggregationMode } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { type ChartToSave, getImpactMetricsMetadata } from '../calls/impact-metrics.ts';
import { reload, useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { Chips, toggle } from '../parts/forms/chips.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { addressOfValues, ChartBody } from './chart-body.tsx';
import { aggregationNames, aggregationsOf, rangeNames } from './describe-chart.ts';
import { NoMetrics } from './no-metrics.tsx';

/** The place where charts are saved: the service, or a flag. */
export interface ChartPlace {
  /** Saves a chart, and lets the page show it. */
  readonly save: (chart: ChartToSave) => Promise<unknown>;
  readonly remove: (chartId: string) => Promise<unknown>;
}

interface ChartDialogProps {
  /** The chart that is edited; undefined for a new one. */
  readonly chart?: ImpactChartView | undefined;
  readonly place: ChartPlace;
  readonly onClose: () => void;
}

const path = getImpactMetricsMetadata({});

/** The most values of a label to choose from. */
const valuesMax = 20;

/** A chart as a form, with a preview. */
export function ChartDialog({ chart, place, onClose }: ChartDialogProps): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const metrics = value?.metrics ?? [];
  const [metricName, setMetricName] = useState(chart?.metricName ?? '');
  const [title, setTitle] = useState(chart?.title ?? '');
  const [timeRange, setTimeRange] = useState(chart?.timeRange ?? 'day');
  const [mode, setMode] = useState<AggregationMode | undefined>(chart?.aggregationMode);
  const [labelSelectors, setLabelSelectors] = useState<ImpactChartView['labelSelectors']>(chart?.labelSelectors ?? {});
  const [yAxisMin, setYAxisMin] = useState(chart?.yAxisMin ?? 'zero');

  const name = metricName || (metrics[0]?.name ?? '');
  const metric = metrics.find((each) => each.name === name);
  const modes = metric === undefined ? (['count', 'avg'] as const) : aggregationsOf[metric.type];
  const aggregationMode = mode ?? modes[0] ?? 'count';
  const draft: ChartToSave = {
    ...(chart !== undefined && { id: chart.id }),
    ...(title.trim() !== '' && { title: title.trim() }),
    ...{ metricName: name, timeRange, aggregationMode, labelSelectors, yAxisMin },
  };
  const chooseMetric = (chosen: string) => {
    setMetricName(chosen);
    setMode(undefined);
    setLabelSelectors({});
  };

  return (
    <Confirm
      kind="wide"
      title={chart === undefined ? 'New chart' : 'Edit the chart'}
      verb={name === '' ? undefined : 'Save'}
      act={() => place.save(draft)}
      onClose={onClose}
    >
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={4} />}
      {value !== undefined && name === '' && <NoMetrics />}
      {name !== '' && (
        <>
          <div class="form-pair">
            <SelectField
              label="Metric"
              hint={metric?.help}
              value={name}
              options={[...new Set([name, ...metrics.map((each) => each.name)])].toSorted()}
              onChoose={chooseMetric}
            />
            <TextField label="Title" placeholder={name} maxLength={200} value={title} onInput={setTitle} />
          </div>
          <div class="form-pair">
            <SelectField
              label="Time"
              value={timeRange}
              options={Object.entries(rangeNames) as [keyof typeof rangeNames, string][]}
              onChoose={setTimeRange}
            />
            <SelectField
              label="Values"
              value={aggregationMode}
              options={[...new Set([...modes, aggregationMode])].map((each) => [each, aggregationNames[each]] as const)}
              onChoose={setMode}
            />
          </div>
          <Check
            label="The axis begins at 0"
            isChecked={yAxisMin === 'zero'}
            onCheck={(isChecked) => setYAxisMin(isChecked ? 'zero' : 'auto')}
          />
          <LabelFields chart={draft} onChange={setLabelSelectors} />
          <h3>Preview</h3>
          <ChartBody chart={draft} />
        </>
      )}
    </Confirm>
  );
}

interface LabelFieldsProps {
  readonly chart: ChartToSave;
  readonly onChange: (labelSelectors: ImpactChartView['labelSelectors']) => void;
}

/** The values of the labels to choose from: those of the metric, and those that were chosen before. */
function LabelFields({ chart, onChange }: LabelFieldsProps): JSX.Element {
  const { labelSelectors } = chart;
  // Without a selection, so that the same values stay to choose from.
  const { value } = useRead(addressOfValues({ ...chart, labelSelectors: {} }), 30_000);
  const { metric_type: _, ...labels } = value?.labels ?? {};
  const choose = (label: string, chosen: string) => {
    const old = labelSelectors[label] ?? [];
    const next =
      chosen === '*'
        ? toggle(old.includes('*') ? old : [], '*')
        : toggle(
            old.filter((each) => each !== '*'),
            chosen,
          );
    onChange({ ...labelSelectors, [label]: [...next] });
  };
  return (
    <>
      {[...new Set([...Object.keys(labels), ...Object.keys(labelSelectors)])].map((label) => {
        const chosen = labelSelectors[label] ?? [];
        const values = new Set([...chosen, ...(labels[label] ?? []).slice(0, valuesMax)]);
        values.delete('*');
        return (
          <Chips
            key={label}
            label={label}
            options={[['*', 'A line for each'], ...[...values].toSorted().map((each) => [each, each] as const)]}
            chosen={chosen}
            onPress={(pressed) => choose(label, pressed)}
          />
        );
      })}
    </>
  );
}
