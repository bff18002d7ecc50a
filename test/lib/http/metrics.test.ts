import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorStatuses } from '../../../lib/errors.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { callFor, endpointThat } from './requests.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

type Line = Readonly<Record<string, unknown>>;

const directivesOf = (line: Line) =>
  (line._aws as { Timestamp: number; CloudWatchMetrics: readonly Directive[] }).CloudWatchMetrics;

/**
 * Holds a line to the specification of the embedded metric format:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function assertEmbeddedMetrics(line: Line): void {
  expect(line._aws).toEqual({ Timestamp: expect.any(Number), CloudWatchMetrics: expect.any(Array) });
  expect((line._aws as { Timestamp: number }).Timestamp).toBeGreaterThan(Date.now() - 60_000);
  for (const { Namespace, Dimensions, Metrics, ...others } of directivesOf(line)) {
    expect(others).toEqual({});
    expect(Namespace).toMatch(/^[\w.#:/-]{1,1024}$/);
    expect(Dimensions.length).toBeGreaterThan(0);
    for (const name of Dimensions.flat()) expect(line[name]).toMatch(/^[!-~][ -~]{0,1023}$/);
    expect(Metrics.length).toBeLessThanOrEqual(100);
    for (const { Name, Unit, ...rest } of Metrics) {
      expect(rest).toEqual({});
      expect(['Count', 'Milliseconds']).toContain(Unit);
      expect(line[Name]).toEqual(expect.any(Number));
    }
  }
}

describe('in Lambda', () => {
  let service: Service;

  async function metricsOf(action: () => unknown): Promise<Line> {
    const { metrics } = await linesWrittenBy(action);
    expect(metrics).toHaveLength(1);
    assertEmbeddedMetrics(metrics[0] ?? {});
    return metrics[0] ?? {};
  }

  beforeAll(async () => {
    service = await freshService();
    await service.get('/api/admin/environments');
  });

  test('each request has a line of metrics for its operation', async () => {
    const line = await metricsOf(() => service.get('/api/admin/environments'));
    expect(line).toEqual({
      _aws: expect.anything(),
      operation: 'GET /api/admin/environments',
      requests: 1,
      errors: 0,
      latencyMs: expect.any(Number),
      storeRoundTrips: 1,
      consumedReadUnits: expect.any(Number),
      consumedWriteUnits: 0,
    });
    expect(line.consumedReadUnits).toBeGreaterThan(0);
    expect(directivesOf(line)).toEqual([
      {
        Namespace: 'Flagstaff',
        Dimensions: [['operation']],
        Metrics: [
          { Name: 'requests', Unit: 'Count' },
          { Name: 'errors', Unit: 'Count' },
          { Name: 'latencyMs', Unit: 'Milliseconds' },
          { Name: 'storeRoundTrips', Unit: 'Count' },
          { Name: 'consumedReadUnits', Unit: 'Count' },
          { Name: 'consumedWriteUnits', Unit: 'Count' },
        ],
      },
    ]);
  });

  test('an error is counted for its operation and, apart from that, by its name', async () => {
    const line = await metricsOf(() => service.call('DELETE', '/api/admin/addons/7'));
    expect(line).toMatchObject({ operation: 'DELETE /api/admin/addons/{id}', error: 'NotFoundError', errors: 1 });
    expect(directivesOf(line).slice(1)).toEqual([
      { Namespace: 'Flagstaff', Dimensions: [['error']], Metrics: [{ Name: 'errors', Unit: 'Count' }] },
    ]);
    expect(Object.keys(errorStatuses)).toContain(line.error);
  });

  test('nothing of a request is left for the next one', async () => {
    await metricsOf(() => service.get('/nowhere'));
    const line = await metricsOf(() => service.get('/health'));
    expect(line).toMatchObject({ operation: 'GET /health', requests: 1, errors: 0, storeRoundTrips: 0 });
    expect(line).not.toHaveProperty('error');
    expect(directivesOf(line)).toHaveLength(1);
  });

  test('requests that are answered at the same time have a line each', async () => {
    const { metrics } = await linesWrittenBy(() =>
      Promise.all([service.get('/health'), service.get('/api/admin/environments'), service.get('/health')]),
    );
    for (const line of metrics) assertEmbeddedMetrics(line);
    expect(metrics.map(({ operation, requests }) => [operation, requests]).toSorted()).toEqual([
      ['GET /api/admin/environments', 1],
      ['GET /health', 1],
      ['GET /health', 1],
    ]);
  });

  test('metrics are written whatever the log is to keep back', async () => {
    vi.stubEnv('LOG_LEVEL', 'ERROR');
    const { log, metrics } = await linesWrittenBy(() => callFor(endpointThat(() => {})));
    expect({ log: log.length, metrics: metrics.length }).toEqual({ log: 0, metrics: 1 });
  });
});

test('elsewhere than in Lambda there are none', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
  const { log, metrics } = await linesWrittenBy(() => callFor(endpointThat(() => {})));
  expect({ log: log.length, metrics: metrics.length }).toEqual({ log: 1, metrics: 0 });
});
