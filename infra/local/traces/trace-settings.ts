/** The variables of OpenTelemetry that decide whether and how traces are sent. The library reads the others itself. */
export interface TraceVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_SDK_DISABLED?: string | undefined;
  readonly OTEL_TRACES_EXPORTER?: string | undefined;
  readonly OTEL_TRACES_SAMPLER?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG?: number | undefined;
}

/** The values of `OTEL_TRACES_SAMPLER` in OpenTelemetry's specification, without those that ask another service. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Determines which traces are sent. */
export interface Sampling {
  readonly sampler: (typeof samplers)[number];
  /** The share of traces, from 0 to 1, for a sampler by ratio. */
  readonly ratio: number;
}

/** Returns the sampling of traces; undefined if the variables name no collector, or switch tracing off. */
export function readSampling(variables: TraceVariables): Sampling | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = variables;
  if ((endpoint ?? tracesEndpoint) === undefined) return undefined;
  if (variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none')
    return undefined;
  const sampler = samplers.find((known) => known === variables.OTEL_TRACES_SAMPLER) ?? 'parentbased_always_on';
  return { sampler, ratio: variables.OTEL_TRACES_SAMPLER_ARG ?? 1 };
}
