import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../infra/local/settings.ts';
import { readSampling } from '../../../infra/local/traces/trace-settings.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listeningInTest } from '../../harness/listening.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { startRuntime } from './local-runtime.ts';

/** A span as OpenTelemetry's protocol has it in JSON. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector that keeps what it gets. */
async function startCollector() {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  const url = await listeningInTest(async (incoming, outgoing) => {
    headers.push(`${incoming.method} ${incoming.url} ${incoming.headers['api-key']}`);
    bodies.push(await text(incoming));
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const listSpans = (): SentSpan[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: SentSpan[] }[] }) =>
        resource.scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  return { url, bodies, headers, listSpans };
}

const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpanId = 'b7ad6b7169203331';

describe('The traces of a server', () => {
  test('continue that of the caller, reach the collector before the server ends, and contain no secret', async () => {
    const collector = await startCollector();
    const received = Promise.withResolvers<{ readonly traceparent: unknown }>();
    const receiver = await listeningInTest((incoming, outgoing) => {
      received.resolve({ traceparent: incoming.headers.traceparent });
      incoming.resume();
      outgoing.end();
    });
    const token = makeSecret('admin');
    const runtime = await startRuntime({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a-key-of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      INIT_ADMIN_API_TOKENS: token,
      INTEGRATION_ALLOWED_HOSTS: 'localhost,127.0.0.1',
    });
    const path = '/api/admin/projects/default/features';
    const parameters = { url: `${receiver}/a-secret-path` };
    const hook = { provider: 'webhook', enabled: true, parameters, events: ['feature-created'] };
    expect((await runtime.ask('/api/admin/addons', token, hook)).status).toBe(201);
    const created = await fetch(`${runtime.url}${path}?a-secret-query=1`, {
      method: 'POST',
      headers: {
        authorization: token,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${callerSpanId}-01`,
      },
      body: JSON.stringify({ name: 'a-secret-flag', type: 'release' }),
    });
    expect(created.status).toBe(201);
    expect(await received.promise).toEqual({ traceparent: undefined });
    // The answer of the receiver has to be recorded, too.
    await runtime.untilPrinted(/"outcome":"taken"/);
    runtime.signal('SIGTERM');
    expect(await runtime.ended).toMatchObject({ code: 0, problems: [] });

    expect(collector.headers[0]).toBe('POST /v1/traces a-key-of-the-collector');
    const spans = collector.listSpans();
    const [request] = spans.filter((span) => span.traceId === traceId && span.parentSpanId === callerSpanId);
    expect(request?.name).toBe('POST /api/admin/projects/{projectId}/features');
    expect(attributesOf(request as SentSpan)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/admin/projects/{projectId}/features',
      'http.response.status_code': 201,
      'flagstaff.request.id': created.headers.get('x-request-id'),
    });
    const children = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(children.map(attributesOf)).toContainEqual({
      'db.system.name': 'sqlite',
      'db.operation.name': 'TransactWriteItems',
      'db.collection.name': 'flagstaff',
    });
    const delivery = spans.find(({ name }) => name === 'POST to webhook') as SentSpan;
    expect(attributesOf(delivery)).toMatchObject({ 'http.response.status_code': 200 });
    expect(spans.find(({ spanId }) => spanId === delivery.parentSpanId)?.name).toBe('send the events of a change');

    const all = collector.bodies.join('\n');
    expect(all).toContain('"staging"');
    for (const secret of [token, token.slice(4), 'a-secret', '127.0.0.1', '::1', 'a-key'])
      expect(all).not.toContain(secret);
  });

  test('neither delay nor fail an answer if the collector is away, nor the end of the server', async () => {
    const runtime = await startRuntime({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect((await fetch(`${runtime.url}/health`)).status).toBe(200);
    runtime.signal('SIGTERM');
    expect(await runtime.ended).toMatchObject({ code: 0 });
  });
});

/** The number of spans that are sent at once, without a wait for more. */
const batchSpans = 512;

test('A refusal by the collector is logged with its status, and without its answer', async () => {
  const refused = Promise.withResolvers<void>();
  const collector = await listeningInTest((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(401).end('a-secret-answer', refused.resolve);
  });
  const runtime = await startRuntime({ OTEL_EXPORTER_OTLP_ENDPOINT: collector, LOG_FORMAT: 'json', LOG_LEVEL: 'WARN' });
  for (let spans = 0; spans < batchSpans; spans += 1) await (await fetch(`${runtime.url}/health`)).text();
  await refused.promise;
  // At its end the server sends this span, so it has read the refusal of the earlier ones before.
  await fetch(`${runtime.url}/health`);
  runtime.signal('SIGTERM');
  const { stdout, stderr } = await runtime.ended;
  expect(stdout + stderr).toMatch(/OTEL_EXPORTER_OTLP_ENDPOINT.*"the collector answers 401"/);
  expect(stdout + stderr).not.toContain('a-secret');
});

/** The text of all modules that a server has loaded until its end, as the coverage of the engine lists them. */
async function readLoaded(variables: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderInTest();
  const runtime = await startRuntime({ ...variables, NODE_V8_COVERAGE: folder });
  expect((await fetch(`${runtime.url}/health`)).status).toBe(200);
  runtime.signal('SIGTERM');
  await runtime.ended;
  return readdirSync(folder)
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result)
    .filter(({ url }: { readonly url: string }) => url.startsWith('file:'))
    .map(({ url }: { readonly url: string }) => readFileSync(new URL(url), 'utf8'))
    .join('\n');
}

test('A server without a collector loads nothing of OpenTelemetry, nor the library of metrics before it is asked', async () => {
  const [without, withCollector] = await Promise.all([
    readLoaded({}),
    readLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
  ]);
  // A variable that only the exporter reads, and a metric that only the library has.
  const [ofTraces, ofMetrics] = ['OTEL_EXPORTER_OTLP_TIMEOUT', 'nodejs_eventloop_lag_stddev'];
  expect(without).toContain('flagstaff_http_requests_total');
  expect([ofTraces, ofMetrics].filter((part) => without.includes(part))).toEqual([]);
  expect(withCollector).toContain(ofTraces);
});

describe('The variables of OpenTelemetry', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318';

  test('send traces if they name a collector, unless they switch traces off', () => {
    const all = { sampler: 'parentbased_always_on', ratio: 1 };
    expect(readSettings({}).sampling).toBeUndefined();
    expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT }).sampling).toEqual(all);
    expect(readSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost/v1/traces' }).sampling).toEqual(all);
    expect(readSampling({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
    expect(readSampling({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    const share = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    const settings = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, ...share });
    expect(settings.sampling).toEqual({ sampler: 'traceidratio', ratio: 0.25 });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('%s=%s is refused at the start', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });
});
