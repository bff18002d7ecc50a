import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { ActivityKind, ActivityObserver } from '../../../lib/activities.ts';
import type { LambdaHandler } from '../../../lib/http/declaration.ts';

/*
 * Spans follow OpenTelemetry's semantic conventions, except that they leave out paths, addresses, headers, keys and values: so they
 * contain nothing about people and no secrets.
 */

type Contexts = AsyncLocalStorage<Context>;

/** Runs an action within a span, so that the spans of its activities become parts of it. */
function runWithin<T>(contexts: Contexts, parent: Context, span: Span, action: () => Promise<T>): Promise<T> {
  return contexts.run(trace.setSpan(parent, span), action);
}

function endWithError(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }).end();
}

const typeOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

const propagator = new W3CTraceContextPropagator();

/** The methods that the conventions know; any other is `_OTHER`, so that there are few names. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Returns a function that adds a span for each request to a handler: a part of the trace of the caller, if that has begun one. */
export function buildRequestTracer(tracer: Tracer, contexts: Contexts): <H extends LambdaHandler>(handler: H) => H {
  function startRequest(...[event, { awsRequestId }]: Parameters<LambdaHandler>) {
    const sent = event.requestContext.http.method;
    const method = methods.includes(sent) ? sent : '_OTHER';
    // Requests without an endpoint have the route `$default`.
    const [, route] = event.routeKey.split(' ', 2);
    const attributes: Attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': 'http',
      'flagstaff.request.id': awsRequestId,
    };
    const parent = propagator.extract(ROOT_CONTEXT, event.headers, defaultTextMapGetter);
    const name = [method === '_OTHER' ? 'HTTP' : method, route].filter(Boolean).join(' ');
    return { parent, span: tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent) };
  }

  return (handler) => {
    const traced: LambdaHandler = async (event, context) => {
      const { parent, span } = startRequest(event, context);
      try {
        const response = await runWithin(contexts, parent, span, () => handler(event, context));
        const { statusCode = 200 } = response;
        span.setAttribute('http.response.status_code', statusCode);
        // The chain leaves the name of an error in the context.
        const { errorName = String(statusCode) } = context as { readonly errorName?: string };
        if (statusCode >= 500) endWithError(span, errorName);
        else span.end();
        return response;
      } catch (error) {
        endWithError(span, typeOf(error));
        throw error;
      }
    };
    return Object.assign(traced, handler);
  };
}

/** Kinds of activities that begin a trace. Others are parts of one, or they would fill the collector with idle rounds. */
const beginsTrace: readonly ActivityKind[] = ['sending', 'delivery', 'scheduled change'];

/** Returns an observer that adds a span for each activity, as a part of the request or work that carries it out. */
export function buildActivityTracer(tracer: Tracer, contexts: Contexts, system: string): ActivityObserver {
  return async ({ kind, name: subject, outcomeOf }, run) => {
    const context = contexts.getStore();
    if (context === undefined && !beginsTrace.includes(kind)) return run();
    const parent = context ?? ROOT_CONTEXT;
    const { name, ...options } = shapes[kind](subject, system);
    const span = tracer.startSpan(name, options, parent);
    try {
      const result = await runWithin(contexts, parent, span, run);
      endWithOutcome(span, kind, outcomeOf?.(result));
      return result;
    } catch (error) {
      endWithError(span, typeOf(error));
      throw error;
    }
  };
}

/** The parts of a span that follow from the kind and the name of its activity. */
const shapes: Readonly<
  Record<ActivityKind, (name: string, system: string) => SpanOptions & { readonly name: string }>
> = {
  'store request': (operation, system) => {
    const { TABLE_NAME: table } = process.env;
    const attributes = { 'db.system.name': system, 'db.operation.name': operation, 'db.collection.name': table };
    return { name: `${operation} ${table}`, kind: SpanKind.CLIENT, attributes };
  },
  'snapshot check': () => ({ name: 'check the snapshot' }),
  delivery: (provider) => ({
    name: `POST to ${provider}`,
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'flagstaff.integration.provider': provider },
  }),
  sending: () => ({ name: 'send the events of a change' }),
  mail: () => ({ name: 'send a mail', kind: SpanKind.CLIENT }),
  'scheduled change': () => ({ name: 'apply a scheduled change request' }),
  'background work': (subject) => ({ name: subject }),
};

/** Ends the span of an activity with a result. The outcome of a delivery is a status, or the reason why there is none. */
function endWithOutcome(span: Span, kind: ActivityKind, outcome: string | undefined): void {
  if (kind !== 'delivery') {
    if (outcome !== undefined) span.setAttribute('flagstaff.outcome', outcome);
    span.end();
    return;
  }
  const status = Number(outcome);
  if (status > 0) span.setAttribute('http.response.status_code', status);
  if (status < 400) span.end();
  else endWithError(span, outcome ?? 'lost');
}
