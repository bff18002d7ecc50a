import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../entity/effects.ts';
import { invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { chartsMax, type ImpactChartInput } from '../usage/impact-metrics/chart-schema.ts';
import { changeFeature } from './change-feature.ts';
import { changeOwn, planLiveChange } from './change-live.ts';
import { buildImpactChart, type ImpactChart } from './chart.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { impactChartDeleted, impactChartSaved } from './feature-events.ts';

/** One saved chart of a feature. */
export interface ChartPath extends FeaturePath {
  readonly chartId: string;
}

/**
 * Saves a chart of a feature: a new one, or the new content of the chart with the id. SDKs get the same as before.
 * @throws ApiError 404 for an unknown project, feature or chart; 400 for more than 20 charts; 412 if `If-Match` does not match.
 */
export function saveFeatureChart(
  request: FlagRequest,
  actor: Actor,
  path: FeaturePath,
  input: ImpactChartInput,
): Promise<Versioned<ImpactChart>> {
  const chart = buildImpactChart(input);
  const plan = planLiveChange<undefined, ImpactChart>(request, path, {
    decide: ({ feature }) => {
      const before = input.id === undefined ? undefined : requireChart(feature, input.id);
      if (before === undefined && feature.charts.length >= chartsMax) throw invalid(tooManyCharts);
      if (isDeepStrictEqual(before, chart)) return { after: feature, events: [], value: chart };
      const charts =
        before === undefined
          ? [...feature.charts, chart]
          : feature.charts.map((other) => (other === before ? chart : other));
      return { after: { ...feature, charts }, events: [impactChartSaved(feature, before, chart)], value: chart };
    },
  });
  return changeFeature(request, actor, plan);
}

const tooManyCharts = `A feature has at most ${chartsMax} saved charts.`;

/**
 * Removes a saved chart from a feature.
 * @throws ApiError 404 for an unknown project, feature or chart; 412 if `If-Match` does not match.
 */
export function removeFeatureChart(request: FlagRequest, actor: Actor, path: ChartPath): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, path, (feature) => {
    const chart = requireChart(feature, path.chartId);
    const charts = feature.charts.filter((other) => other !== chart);
    return { after: { ...feature, charts }, event: impactChartDeleted(feature, chart) };
  });
}

function requireChart({ charts }: Feature, id: string): ImpactChart {
  const chart = charts.find((candidate) => candidate.id === id);
  if (chart === undefined) throw notFound('chart', id);
  return chart;
}
