import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Endpoint, LambdaHandler } from '../../../lib/http/declaration.ts';
import { endpointsOf } from '../../../lib/http/endpoint.ts';
import { sha256 } from '../../../lib/values/sha256.ts';
import type { LocalSettings } from '../settings.ts';
import { isExposed } from '../well-known.ts';
import { printMetrics, prometheusType } from './print.ts';

const endpoint = endpointsOf('Service');

const declaration = {
  route: 'GET /internal-backstage/prometheus',
  summary: 'Returns the metrics of this process in the text format of Prometheus.',
  contentType: prometheusType,
  responses: { 200: v.string() },
} as const;

const withoutToken = endpoint({ ...declaration, audience: 'public', rights: 'none' }).handle(printMetrics, asBody);
/** Needs the permission to read logs, so that a monitoring system needs no token of an Admin. */
const withToken = endpoint({ ...declaration, permission: 'READ_LOGS' }).handle(printMetrics, asBody);

function asBody(text: string) {
  return { body: text };
}

/**
 * Returns the endpoint of the metrics. It needs no token if only programs on this machine can reach the server. A relay that serves
 * any host cannot know that: a proxy or a page of another site may ask. The endpoint is not in the registry, since functions on Lambda
 * count nothing.
 */
export function metricsEndpointFor(settings: LocalSettings): Endpoint {
  const servesAnyHost = settings.isRelay && settings.allowedHosts.length === 0;
  return isExposed(settings) || servesAnyHost ? answerThroughOutages(withToken) : withoutToken;
}

/** The store has this long to confirm a token. Prometheus waits ten seconds for the answer. */
const confirmationMs = 3_000;

/**
 * Also answers while the store is unreachable, when operators need the numbers most, if the caller's token was the last permitted one.
 * Tokens of SDKs stay accepted in the same way.
 */
function answerThroughOutages(endpoint: Endpoint): Endpoint {
  let permitted: string | undefined;
  const askStore = async (caller: string, ...call: Parameters<LambdaHandler>) => {
    const answer = await endpoint(...call);
    if (answer.statusCode === 200) permitted = caller;
    else if (answer.statusCode !== 503 && caller === permitted) permitted = undefined;
    return answer;
  };
  const handler: LambdaHandler = async (event, context) => {
    const { authorization } = event.headers;
    // A session cannot be confirmed later by a header that its caller did not send.
    if (!authorization) return endpoint(event, context);
    const caller = sha256(authorization);
    const confirmation = askStore(caller, event, context);
    if (caller !== permitted) return confirmation;
    const answer = await Promise.race([confirmation, sleep(confirmationMs)]);
    if (answer !== undefined && answer.statusCode !== 503) return answer;
    const headers = { 'content-type': prometheusType, 'cache-control': 'no-store' };
    return { statusCode: 200, headers, body: await printMetrics() };
  };
  return Object.assign(handler, { declaration: endpoint.declaration });
}
