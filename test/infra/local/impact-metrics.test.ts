import { expect, test } from 'vitest';
import { impactEndpointFor } from '../../../infra/local/metrics/impact-endpoint.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { freshService } from '../../harness/service.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { World } from '../../harness/world.ts';
import { call } from '../../lib/http/requests.ts';
import { sharedRuntime } from './local-runtime.ts';

const path = '/internal-backstage/impact/metrics';
logWatch.allow(`GET ${path}`);

const clientToken = makeSecret({ projects: ['*'], environment: 'development' });
const pageToken = '*:development.a-token-of-pages';
const onThisMachine = sharedRuntime({
  DATA_DIR: folderOfTests(),
  INIT_CLIENT_API_TOKENS: clientToken,
  INIT_FRONTEND_API_TOKENS: pageToken,
});

test('Prometheus reads the sums of all reports as on Unleash, as soon as they are answered', async () => {
  const { ask, url } = await onThisMachine();
  const counter = (name: string, value: number) => ({
    ...{ name, help: 'with labels', type: 'counter' },
    samples: [{ labels: { foo: 'bar' }, value }],
  });
  const times = (sum: number, small: number, all: number) => ({
    ...{ name: 'times', help: 'Times', type: 'histogram' },
    samples: [
      {
        labels: { foo: 'bar' },
        ...{ sum, count: all },
        buckets: [
          { le: 1, count: small },
          { le: '+Inf', count: all },
        ],
      },
    ],
  });
  const { help: _help, ...helpless } = counter('of_servers', 10);
  const report = async (place: string, token: string, ...impactMetrics: object[]) => {
    const body = { appName: 'shop', instanceId: 'one', bucket: null, impactMetrics };
    expect((await ask(`/api/${place}`, token, body)).ok).toBe(true);
  };
  await report('client/metrics', clientToken, counter('of_servers', 5), times(8.5, 7, 10));
  await report('client/metrics', clientToken, counter('of_servers', 10), times(3.2, 3, 5));
  await report('client/metrics', clientToken);
  await report('client/metrics', clientToken, helpless);
  await report('client/metrics/bulk', clientToken, counter('of_proxies', 7));
  await report('client/metrics/bulk', clientToken, counter('of_proxies', 8));
  await report('frontend/client/metrics', pageToken, counter('of_pages', 15));
  const answer = await fetch(url + path);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n');
  for (const name of ['of_servers', 'of_proxies', 'of_pages']) {
    expect(lines).toContain(`# HELP ${name} with labels`);
    expect(lines).toContain(`# TYPE ${name} counter`);
    expect(lines).toContain(`${name}{origin="sdk",metric_type="counter",foo="bar"} 15`);
  }
  const labels = 'foo="bar",metric_type="histogram",origin="sdk"';
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE times histogram',
      `times_bucket{${labels},le="1"} 10`,
      `times_bucket{${labels},le="+Inf"} 15`,
      `times_sum{${labels}} 11.7`,
      `times_count{${labels}} 15`,
    ]),
  );
  const some = (await (await fetch(`${url}${path}?prefix=of_p`)).text()).split('\n');
  expect(some.filter((line) => line.startsWith('# TYPE'))).toEqual([
    '# TYPE of_pages counter',
    '# TYPE of_proxies counter',
  ]);
});

test('A server that others can reach shows its impact metrics to those who may read logs', async () => {
  const service = await freshService();
  const endpoint = impactEndpointFor(readSettings({ TRUSTED_PROXIES: '1' }));
  const statusOf = async (authorization: string) => {
    logWatch.keepToken(authorization);
    return (await call(endpoint, { headers: { authorization } })).statusCode;
  };
  expect(await statusOf(service.adminToken)).toBe(200);
  expect(await statusOf(await new World(service).tokenOfRole(2))).toBe(403);
  expect((await call(endpoint, { headers: {} })).statusCode).toBe(401);
});
