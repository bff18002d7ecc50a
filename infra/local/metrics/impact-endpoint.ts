import * as v from 'valibot';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { endpointsOf } from '../../../lib/http/endpoint.ts';
import { type Request, withAllProjects } from '../../../lib/request.ts';
import { printImpactMetrics } from '../../../lib/usage/impact-metrics/prometheus-text.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { object, text } from '../../../lib/values/primitives.ts';
import type { LocalSettings } from '../settings.ts';
import { isExposed } from '../well-known.ts';
import { prometheusType } from './print.ts';

const endpoint = endpointsOf('Service');

const selection = object({ prefix: v.optional(text, '') });
type Selection = v.InferOutput<typeof selection>;

const declaration = {
  route: 'GET /internal-backstage/impact/metrics',
  summary: 'Returns the impact metrics of applications in the text format of Prometheus.',
  description:
    '`prefix` selects the metrics whose names begin with it, so that several jobs share what is too much for one.',
  contentType: prometheusType,
  query: selection,
  responses: { 200: v.string() },
} as const;

const withoutToken = endpoint({ ...declaration, audience: 'public' }).handle(print);
const withToken = endpoint({ ...declaration, permission: 'READ_LOGS' }).handle(print);

/**
 * Returns the endpoint of the impact metrics. Who may read them is decided as for the metrics of the process. On AWS this path is a
 * 404: there is no server that only programs on its own machine reach.
 */
export function impactEndpointFor(settings: LocalSettings): Endpoint {
  return isExposed(settings) ? withToken : withoutToken;
}

/** Prints the selected impact metrics, after those that this process still holds are written: a reader finds every answered report. */
async function print({ request, query }: { readonly request: Request; readonly query: Selection }): Promise<string> {
  await flushUsage(request);
  return printImpactMetrics(withAllProjects(request), query.prefix);
}
