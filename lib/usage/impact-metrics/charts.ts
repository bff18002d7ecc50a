import { codec } from '../../entity/codec.ts';
import { entity } from '../../entity/entity.ts';
import type { Actor } from '../../events/actor.ts';
import { buildImpactChart, type ImpactChart, viewImpactChart } from '../../features/chart.ts';
import type { Request } from '../../request.ts';
import { chartsMax, type ImpactChartInput } from './chart-schema.ts';

/** A saved chart of the whole service. */
interface ServiceChart extends ImpactChart {
  readonly createdAt: string;
}

/** The saved charts that belong to no feature. */
export const impactCharts = entity<ServiceChart, string>({
  kind: 'impact chart',
  idOf: ({ id }) => id,
  codec: codec<ServiceChart>({ labelSelectors: true }),
  max: chartsMax,
  events: { created: 'impact-metric-created', updated: 'impact-metric-updated', deleted: 'impact-metric-deleted' },
  // Summaries of events call a thing by its `name`.
  eventData: (chart) => ({ ...viewServiceChart(chart), name: chart.title ?? chart.metricName }),
});

/** Lists the saved charts that belong to no feature, the oldest first. */
export async function listImpactCharts(request: Request): Promise<ServiceChart[]> {
  const charts = await impactCharts.list(request);
  return charts.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/** Returns a chart as replies and events show it. */
export function viewServiceChart({ createdAt: _createdAt, ...chart }: ServiceChart) {
  return viewImpactChart(chart);
}

/**
 * Saves a chart that belongs to no feature: a new one, or the new content of the chart with the id.
 * @throws ApiError 404 for an unknown chart; 400 for more than 20 charts; 412 if `If-Match` does not match.
 */
export function saveImpactChart(request: Request, actor: Actor, input: ImpactChartInput) {
  const chart = buildImpactChart(input);
  if (input.id === undefined) return impactCharts.create(request, actor, (createdAt) => ({ ...chart, createdAt }));
  return impactCharts.update(request, actor, input.id, ({ createdAt }) => ({ ...chart, createdAt }));
}
