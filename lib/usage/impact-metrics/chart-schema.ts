import * as v from 'valibot';
import { object, record, text, textOfLength, titleOfLength } from '../../values/primitives.ts';
import { aggregationMode, range } from './impact-metrics-schema.ts';

/** The most saved charts of a feature, and of the whole service, as in Unleash's admin UI. */
export const chartsMax = 20;

/** The most characters of the selected labels as JSON. With this limit, all charts of a feature fit into an item of the store. */
const selectorsMax = 4_000;

/** The values that each label may have; `*` allows all, and keeps them apart. */
const labelSelectors = v.pipe(
  record(v.array(textOfLength(1, 100))),
  v.check(
    (selectors) => JSON.stringify(selectors).length <= selectorsMax,
    `The selected labels can have at most ${selectorsMax} characters as JSON.`,
  ),
);

const entries = {
  metricName: textOfLength(1, 200),
  timeRange: range,
  aggregationMode,
  labelSelectors,
  /** The lowest value of the axis: 0, or the lowest one in the chart. */
  yAxisMin: v.picklist(['auto', 'zero']),
  /** The heading of the chart; without it, the chart has the name of the metric. */
  title: v.exactOptional(titleOfLength(200)),
};

/** A chart of an impact metric in requests. With the `id` of a saved chart, it replaces that one. */
export const impactChartInput = object({
  id: v.exactOptional(text),
  ...entries,
  source: v.exactOptional(v.literal('internal')),
});
export type ImpactChartInput = v.InferOutput<typeof impactChartInput>;

/** A saved chart of an impact metric. */
export const impactChart = object({
  id: text,
  ...entries,
  displayName: text,
  source: v.literal('internal'),
  /** The mode of a chart that people may change, as on Unleash. */
  mode: v.literal('write'),
});
export type ImpactChartView = v.InferOutput<typeof impactChart>;

/** The saved charts, the oldest first. */
export const savedImpactCharts = object({ configs: v.array(impactChart) });
