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
 * Spans follow OpenTelemetry's semantic conventions, but leave out paths, addresses, headers, keys and values. So they contain no
 * secrets and nothing about people.
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

/** Returns a function that makes a handler record a span for each request. The span continues the trace of the caller, if there is one. */
export function buildRequestTracer(tracer: Tracer, contexts: Contexts): <H extends LambdaHandler>(handler: H) => H {
  function startRequest(...[event, { awsRequestId }]: Parameters<LambdaHandler>) {
    const { method: sentMethod } = event.requestContext.http;
    const method = methods.includes(sentMethod) ? sentMethod : '_OTHER';
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

/** The kinds of activities that begin a trace. Others only are parts of one, since idle rounds would fill the collector. */
const rootKinds: readonly ActivityKind[] = ['sending', 'delivery', 'scheduled change'];

/**
 * Returns an observer that records a span for each activity, as a part of the request or work that carries it out.
 * @param system the name of the store in OpenTelemetry's conventions.
 */
export function buildActivityTracer(tracer: Tracer, contexts: Contexts, system: string): ActivityObserver {
  return async ({ kind, name: activityName, outcomeOf }, run) => {
    const context = contexts.getStore();
    if (context === undefined && !rootKinds.includes(kind)) return run();
    const parent = context ?? ROOT_CONTEXT;
    const { name, ...options } = describeSpan[kind](activityName, system);
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

/** Returns the name and the attributes of a span, by the kind of its activity. */
const describeSpan: Readonly<
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
  'background work': (name) => ({ name }),
};

/** Ends the span of an activity that threw no error. The outcome of a delivery is a status, or the reason why there is none. */
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
