import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImpactChartView } from '../../usage/impact-metrics/chart-schema.ts';
import type { AggregationMode } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { type ChartToSave, getImpactMetricsMetadata } from '../calls/impact-metrics.ts';
import { reload, useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { aggregationsOf } from '../words/charts.ts';
import { aggregationNames, rangeNames } from '../words/impact-metrics.ts';
import { ChartBody } from './chart-body.tsx';
import { LabelFields } from './label-fields.tsx';
import { NoMetrics } from './no-metrics.tsx';

/** The calls that save charts of the service, or of a flag. */
export interface ChartStore {
  /** Saves a chart, and lets the page show it. */
  readonly save: (chart: ChartToSave) => Promise<unknown>;
  readonly remove: (chartId: string) => Promise<unknown>;
}

interface ChartDialogProps {
  /** The chart that is edited; undefined for a new one. */
  readonly chart?: ImpactChartView | undefined;
  readonly store: ChartStore;
  readonly onClose: () => void;
}

const path = getImpactMetricsMetadata({});

/** A chart as a form, with a preview. */
export function ChartDialog({ chart, store, onClose }: ChartDialogProps): JSX.Element {
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
      act={() => store.save(draft)}
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
          <LabelFields measure={draft} each="A line for each" onChange={setLabelSelectors} />
          <h3>Preview</h3>
          <ChartBody chart={draft} />
        </>
      )}
    </Confirm>
  );
}
