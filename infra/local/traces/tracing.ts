import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Activity, ActivityKind, ActivityObserver } from '../../../lib/activities.ts';
import type { LambdaHandler } from '../../../lib/http/declaration.ts';
import { buildName } from '../../../lib/http/version.ts';
import { warn } from '../warn.ts';
import type { Sampling } from './trace-settings.ts';

/** The traces of a process. */
export interface Tracing {
  /** Returns a handler whose requests are traced, each as the child of the trace that its caller has begun. */
  traceRequests<H extends LambdaHandler>(handler: H): H;
  /** Traces activities within a request, and work that begins a trace of its own. */
  readonly traceActivity: ActivityObserver;
  /** Sends the remaining spans. It waits two seconds at most, and never throws. */
  close(): Promise<void>;
}

/** The longest time for which the end of a process waits for the collector. */
const closeMs = 2_000;
/** The time for which a failure of the collector is not repeated in the log. */
const silenceMs = 10 * 60_000;

/** Kinds of activities that begin a trace. Others are parts of one, or they would fill the collector with idle rounds. */
const beginsTrace: readonly ActivityKind[] = ['sending', 'delivery', 'scheduled change'];

/**
 * Starts to send traces to the collector that the environment names. Spans have routes and outcomes, but no addresses, headers,
 * bodies, keys or values, so that they contain nothing about people and no secrets.
 * @param system the name of the store in OpenTelemetry's conventions.
 */
export function openTracing(sampling: Sampling, system: 'sqlite' | 'aws.dynamodb'): Tracing {
  reportFailures();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'flagstaff', 'service.version': buildName() }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: samplerOf(sampling),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('flagstaff');
  const contexts = new AsyncLocalStorage<Context>();

  const traceActivity: ActivityObserver = async (activity, run) => {
    const parent = contexts.getStore();
    if (parent === undefined && !beginsTrace.includes(activity.kind)) return run();
    const span = startActivity(tracer, activity, system, parent);
    try {
      const result = await contexts.run(trace.setSpan(parent ?? ROOT_CONTEXT, span), run);
      endWithOutcome(span, activity.kind, activity.outcomeOf?.(result));
      return result;
    } catch (error) {
      endWithError(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    }
  };

  return {
    traceRequests: (handler) => buildTracedHandler(handler, tracer, contexts),
    traceActivity,
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(closeMs, undefined, { ref: false })]);
    },
  };
}

/** Warns of a collector that does not take the traces, now and then. The requests that are traced learn nothing of it. */
function reportFailures(): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler(() => {
    if (performance.now() - reportedAt < silenceMs) return;
    reportedAt = performance.now();
    // The error may quote the answer of the collector.
    warn('Traces could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT');
  });
}

function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const [, parent, rule] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root =
    rule === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : rule === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return parent === undefined ? root : new ParentBasedSampler({ root });
}

const propagator = new W3CTraceContextPropagator();

/** The methods that OpenTelemetry's conventions know; any other is `_OTHER`, so that there are few names. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function buildTracedHandler<H extends LambdaHandler>(
  handler: H,
  tracer: Tracer,
  contexts: AsyncLocalStorage<Context>,
): H {
  const traced: LambdaHandler = async (event, context) => {
    const sent = event.requestContext.http.method;
    const method = methods.includes(sent) ? sent : '_OTHER';
    const [, route] = event.routeKey.split(' ', 2);
    const attributes: Attributes = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'url.scheme': 'http',
      'flagstaff.request.id': context.awsRequestId,
    };
    const parent = propagator.extract(ROOT_CONTEXT, event.headers, defaultTextMapGetter);
    const name = [method === '_OTHER' ? 'HTTP' : method, route ?? []].flat().join(' ');
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    try {
      const response = await contexts.run(trace.setSpan(parent, span), () => handler(event, context));
      const { statusCode = 200 } = response;
      span.setAttribute('http.response.status_code', statusCode);
      const { errorName = String(statusCode) } = context as { readonly errorName?: string };
      if (statusCode >= 500) endWithError(span, errorName);
      else span.end();
      return response;
    } catch (error) {
      endWithError(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    }
  };
  return Object.assign(traced, handler);
}

function endWithError(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }).end();
}

/** The parts of a span that follow from the kind of its activity. */
const shapes: Readonly<
  Record<ActivityKind, (name: string, system: string) => { name: string; kind?: SpanKind; attributes?: Attributes }>
> = {
  'store request': (name, system) => ({
    name: `${name} ${process.env.TABLE_NAME}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': system,
      'db.operation.name': name,
      'db.collection.name': process.env.TABLE_NAME,
    },
  }),
  'snapshot check': () => ({ name: 'check the snapshot' }),
  delivery: (provider) => ({
    name: `POST to ${provider}`,
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'flagstaff.integration.provider': provider },
  }),
  sending: () => ({ name: 'send the events of a change' }),
  mail: () => ({ name: 'send a mail', kind: SpanKind.CLIENT }),
  'scheduled change': () => ({ name: 'apply a scheduled change request' }),
  'background work': (name) => ({ name }),
};

function startActivity(
  tracer: Tracer,
  { kind, name: subject }: Pick<Activity, 'kind' | 'name'>,
  system: string,
  parent = ROOT_CONTEXT,
): Span {
  const { name, ...options } = shapes[kind](subject, system);
  return tracer.startSpan(name, options, parent);
}

function endWithOutcome(span: Span, kind: ActivityKind, outcome: string | undefined): void {
  if (outcome === undefined) {
    span.end();
    return;
  }
  const status = kind === 'delivery' ? Number(outcome) : Number.NaN;
  if (status > 0) span.setAttribute('http.response.status_code', status);
  else span.setAttribute('flagstaff.outcome', outcome);
  const isFailure = kind === 'delivery' && !(status < 400);
  if (isFailure) endWithError(span, outcome);
  else span.end();
}
