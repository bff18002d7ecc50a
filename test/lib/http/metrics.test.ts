import { beforeAll, describe, expect, test, vi } from 'vitest';
import { errorStatuses } from '../../../lib/errors.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { sharedService } from '../../specifications/specify.ts';
import { callFor, endpointThat } from './requests.ts';

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
  const service = sharedService();

  async function metricsOf(action: () => unknown): Promise<Line> {
    const { metrics } = await linesWrittenBy(action);
    expect(metrics).toHaveLength(1);
    assertEmbeddedMetrics(metrics[0] ?? {});
    return metrics[0] ?? {};
  }

  beforeAll(async () => {
    await service.get('/api/admin/environments');
  });

  test('each request has a line of metrics for the group of the function', async () => {
    vi.stubEnv('METRICS_NAMESPACE', 'Flagstaff-test');
    vi.stubEnv('METRICS_GROUP', 'environments');
    const line = await metricsOf(() => service.get('/api/admin/environments'));
    expect(line).toEqual({ _aws: expect.anything(), group: 'environments', errors: 0, latencyMs: expect.any(Number) });
    expect(directivesOf(line)).toEqual([
      {
        Namespace: 'Flagstaff-test',
        Dimensions: [['group']],
        Metrics: [
          { Name: 'errors', Unit: 'Count' },
          { Name: 'latencyMs', Unit: 'Milliseconds' },
        ],
      },
    ]);
  });

  test('an error is counted for its group, and also by its name', async () => {
    const line = await metricsOf(() => service.call('DELETE', '/api/admin/addons/7'));
    expect(line).toMatchObject({ group: 'none', error: 'NotFoundError', errors: 1 });
    expect(directivesOf(line).slice(1)).toEqual([
      { Namespace: 'Flagstaff', Dimensions: [['error']], Metrics: [{ Name: 'errors', Unit: 'Count' }] },
    ]);
    expect(Object.keys(errorStatuses)).toContain(line.error);
  });

  test('a warning is counted for its group, and without warnings there is no such metric', async () => {
    vi.stubEnv('PROJECT_FEATURES_WARNING', '1');
    const create = (name: string) => service.post('/api/admin/projects/default/features', { name });
    expect(await metricsOf(() => create('first'))).not.toHaveProperty('warnings');
    const line = await metricsOf(() => create('second'));
    expect(line).toMatchObject({ group: 'none', errors: 0, warnings: 1 });
    expect(directivesOf(line)[0]?.Metrics).toContainEqual({ Name: 'warnings', Unit: 'Count' });
  });

  test('the metrics of a request do not appear again with the next one', async () => {
    await metricsOf(() => service.get('/nowhere'));
    const line = await metricsOf(() => service.get('/health'));
    expect(line).toMatchObject({ errors: 0 });
    expect(line).not.toHaveProperty('error');
    expect(directivesOf(line)).toHaveLength(1);
  });

  test('requests that are answered at the same time have a line each', async () => {
    const { metrics } = await linesWrittenBy(() =>
      Promise.all([service.get('/health'), service.get('/api/admin/environments'), service.get('/health')]),
    );
    for (const line of metrics) assertEmbeddedMetrics(line);
    expect(metrics).toHaveLength(3);
  });

  test('metrics are written for every log level', async () => {
    vi.stubEnv('LOG_LEVEL', 'ERROR');
    const { log, metrics } = await linesWrittenBy(() => callFor(endpointThat(() => {})));
    expect({ log: log.length, metrics: metrics.length }).toEqual({ log: 0, metrics: 1 });
  });
});

test('outside of Lambda, no metrics are written', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
  const { log, metrics } = await linesWrittenBy(() => callFor(endpointThat(() => {})));
  expect({ log: log.length, metrics: metrics.length }).toEqual({ log: 1, metrics: 0 });
});
