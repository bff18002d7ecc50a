import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
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
import type { ActivityObserver } from '../../../lib/activities.ts';
import type { LambdaHandler } from '../../../lib/http/declaration.ts';
import { buildName } from '../../../lib/http/version.ts';
import { warn } from '../warn.ts';
import { buildActivityTracer, buildRequestTracer } from './spans.ts';
import type { Sampling } from './trace-settings.ts';

/** The traces of a process. */
export interface Tracing {
  /** Returns a handler whose requests are traced. A request continues the trace of its caller. */
  traceRequests<H extends LambdaHandler>(handler: H): H;
  /** Traces activities within a request, and background work as traces of its own. */
  readonly traceActivity: ActivityObserver;
  /** Sends the remaining spans. It waits two seconds at most, and never throws. */
  close(): Promise<void>;
}

/** A process that ends waits at most this long for the collector. */
const closeMs = 2_000;
/** The log has at most one failure of the collector in this time. */
const silenceMs = 10 * 60_000;

/**
 * Starts to send traces to the collector that the environment names.
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
  return {
    traceRequests: buildRequestTracer(tracer, contexts),
    traceActivity: buildActivityTracer(tracer, contexts, system),
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(closeMs, undefined, { ref: false })]);
    },
  };
}

/** Warns now and then if the collector does not accept traces. Requests do not fail for it. */
function reportFailures(): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - reportedAt < silenceMs) return;
    reportedAt = performance.now();
    warn('Traces could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT', describeRefusal(error));
  });
}

/** Returns the status of the collector, or the system's code, such as ECONNREFUSED. The error may also quote what the collector answered. */
function describeRefusal(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `the collector answers ${code}`;
  return typeof code === 'string' ? code : undefined;
}

function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const [, parent, rule] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root = rootSamplerOf(rule, ratio);
  return parent === undefined ? root : new ParentBasedSampler({ root });
}

function rootSamplerOf(rule: string | undefined, ratio: number): Sampler {
  if (rule === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return rule === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
