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
/** The permission is that of logs, so that a monitoring system needs no token of an Admin. */
const withToken = endpoint({ ...declaration, permission: 'READ_LOGS' }).handle(printMetrics, asBody);

function asBody(text: string) {
  return { body: text };
}

/**
 * Returns the endpoint of the metrics, which is not in the registry: a Lambda function has no numbers of its own to show. Only if
 * nobody but programs on this machine can reach the server, it needs no token. A relay that serves any host cannot know that: a proxy
 * or a page of another site may ask.
 */
export function metricsEndpointFor(settings: LocalSettings): Endpoint {
  const servesAnyHost = settings.isRelay && settings.allowedHosts.length === 0;
  return isExposed(settings) || servesAnyHost ? answerThroughOutages(withToken) : withoutToken;
}

/** The time for the store to confirm a token. Prometheus waits ten seconds for its numbers. */
const confirmationMs = 3_000;

/**
 * Answers the token that was permitted last also while the store cannot be asked, when operators need the numbers most. The token of
 * an SDK is accepted then, too.
 */
function answerThroughOutages(endpoint: Endpoint): Endpoint {
  let permitted: string | undefined;
  const ask = async (caller: string, ...call: Parameters<LambdaHandler>) => {
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
    const answering = ask(caller, event, context);
    if (caller !== permitted) return answering;
    const answer = await Promise.race([answering, sleep(confirmationMs)]);
    if (answer !== undefined && answer.statusCode !== 503) return answer;
    const headers = { 'content-type': prometheusType, 'cache-control': 'no-store' };
    return { statusCode: 200, headers, body: await printMetrics() };
  };
  return Object.assign(handler, { declaration: endpoint.declaration });
}
