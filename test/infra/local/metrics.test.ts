import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { metricsEndpointFor } from '../../../infra/local/metrics/endpoint.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { ApiError } from '../../../lib/errors.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { openEnvironmentStore } from '../../../lib/store/client/open-store.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { freshService } from '../../harness/service.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { World } from '../../harness/world.ts';
import { call } from '../../lib/http/requests.ts';
import { type LocalRuntime, sharedRuntime, startRuntime } from './local-runtime.ts';

const path = '/internal-backstage/prometheus';
logWatch.allow(`GET ${path}`);

const withToken = metricsEndpointFor(readSettings({ TRUSTED_PROXIES: '1' }));

async function statusOf(authorization: string) {
  logWatch.keepToken(authorization);
  return (await call(withToken, { headers: { authorization } })).statusCode;
}

const clientToken = makeSecret({ projects: ['*'], environment: 'development' });
const onThisMachine = sharedRuntime({ DATA_DIR: folderOfTests(), INIT_CLIENT_API_TOKENS: clientToken });

/** The samples of a server by name and labels, such as `flagstaff_mails_total{result="sent"}`. */
async function readSamples({ url }: LocalRuntime): Promise<Map<string, number>> {
  const answer = await fetch(url + path);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

describe('The metrics of a server', () => {
  test('are for everybody if only programs on this machine can reach it', async () => {
    expect((await fetch(`${(await onThisMachine()).url}${path}`)).status).toBe(200);
  });

  test('otherwise need a token of somebody who may read logs, with or without Bearer', async () => {
    const service = await freshService();
    const { adminToken } = service;
    const world = new World(service);
    const role = await world.role({ type: 'root-custom', permissions: [{ name: 'READ_LOGS' }] });
    const monitoringToken = await world.tokenOfRole(role);
    expect(await statusOf(adminToken)).toBe(200);
    expect(await statusOf(`Bearer ${adminToken}`)).toBe(200);
    expect(await statusOf(monitoringToken)).toBe(200);
    expect(await statusOf(await world.tokenOfRole(2))).toBe(403);
    expect(await statusOf(await world.sdkToken('client'))).toBe(403);
    expect(await statusOf(insecureLocalToken)).toBe(401);
    expect((await call(withToken, { headers: {} })).statusCode).toBe(401);
  });

  test('count requests by their route and polls by their result, and never contain a path or a token', async () => {
    const runtime = await onThisMachine();
    const { ask } = runtime;
    const before = await readSamples(runtime);
    const full = await ask('/api/client/features', clientToken);
    const headers = { authorization: clientToken, 'if-none-match': full.headers.get('etag') ?? '' };
    expect((await fetch(`${runtime.url}/api/client/features`, { headers })).status).toBe(304);
    await ask('/api/client/features/a-secret-flag', clientToken);
    await ask('/a/random/path/31337', clientToken);
    const after = await readSamples(runtime);
    const rise = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const route = '/api/client/features';
    expect(rise(`flagstaff_http_requests_total{method="GET",route="${route}",status="200"}`)).toBe(1);
    expect(rise(`flagstaff_http_request_duration_seconds_count{method="GET",route="${route}"}`)).toBe(2);
    expect(rise(`flagstaff_http_requests_total{method="GET",route="${route}/{featureName}",status="404"}`)).toBe(1);
    expect(rise('flagstaff_http_requests_total{method="GET",route="$default",status="404"}')).toBe(1);
    expect(rise('flagstaff_polls_total{api="client",result="full"}')).toBe(1);
    expect(rise('flagstaff_polls_total{api="client",result="unchanged"}')).toBe(1);
    expect(rise('flagstaff_snapshot_check_duration_seconds_count')).toBeGreaterThan(0);
    expect(rise('flagstaff_store_requests_total{operation="Query",result="done"}')).toBeGreaterThan(0);
    const text = [...after.keys()].join('\n');
    expect(text).not.toMatch(/31337|a-secret-flag/);
    expect(text).not.toContain(clientToken);
  });

  test('are those that infra/monitoring/README.md lists', async () => {
    const answer = await fetch(`${(await onThisMachine()).url}${path}`);
    const families = (await answer.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm);
    const page = readFileSync('infra/monitoring/README.md', 'utf8');
    const documented = page.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram)/gm);
    const listOf = (matches: Iterable<RegExpMatchArray>) => Array.from(matches, ([, name, type]) => `${name} ${type}`);
    const ofThisProcess = listOf(families);
    expect(ofThisProcess.filter((line) => line.startsWith('flagstaff_')).toSorted()).toEqual(
      listOf(documented)
        .filter((line) => line.startsWith('flagstaff_'))
        .toSorted(),
    );
    expect(ofThisProcess).toEqual(
      expect.arrayContaining(listOf(page.matchAll(/^\| `((?:process|nodejs)_\w+)` \| (\w+)/gm))),
    );
  });

  test('are all that the dashboard and the alerts ask for', async () => {
    const known = new Set([...(await readSamples(await onThisMachine())).keys()].map((key) => key.replace(/\{.*/, '')));
    for (const file of ['dashboard.json', 'alerts.yml']) {
      const text = readFileSync(`infra/monitoring/${file}`, 'utf8');
      const asked = new Set(text.match(/\b(?:flagstaff|process|nodejs)_[a-z_0-9]+\b/g));
      expect(asked.size, file).toBeGreaterThan(5);
      expect(
        [...asked].filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });

  test('stay there for the last permitted token while the store cannot be asked, and for no other', async () => {
    const service = await freshService();
    const [token, other] = [service.adminToken, makeSecret('admin')];
    expect(await statusOf(token)).toBe(200);
    // No server listens there, and the address is new, so that nothing about tokens is in memory.
    process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:1';
    openEnvironmentStore().client.attempt = async () => {
      throw new ApiError('ServiceUnavailable', 'The store is away.');
    };
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 503]);
  });
});

test('A relay has metrics, too, for the tokens of its store', async () => {
  const { adminToken: token } = await freshService();
  const { TABLE_NAME = '' } = process.env;
  const variables = { RELAY: 'true', DYNAMODB_ENDPOINT: storeEndpoint(), TABLE_NAME, TRUSTED_PROXIES: '1' };
  const { url, status } = await startRuntime(variables);
  expect([(await fetch(url + path)).status, await status(path, token)]).toEqual([401, 200]);
});
