import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { metricsEndpointFor } from '../../../infra/local/metrics/endpoint.ts';
import type { MetricFamily } from '../../../infra/local/metrics/families.ts';
import { countAttempt, measureActivity, showReceivers } from '../../../infra/local/metrics/measure.ts';
import { metrics } from '../../../infra/local/metrics/metrics.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { ApiError } from '../../../lib/errors.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { unavailableError } from '../../../lib/store/client/client.ts';
import { exceptionOf } from '../../../lib/store/client/exceptions.ts';
import { openEnvironmentStore } from '../../../lib/store/client/open-store.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { freshService } from '../../harness/service.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { failureErrors } from '../../harness/store-failures.ts';
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
    const statusOfSession = async (cookie: string) =>
      (await call(withToken, { headers: {}, cookies: [cookie] })).statusCode;
    expect(await statusOfSession(await new World(service).session({ rootRole: 'Admin' }))).toBe(200);
    // No server listens there, and the address is new, so that nothing about tokens is in memory.
    process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:1';
    openEnvironmentStore().client.attempt = async () => {
      throw new ApiError('ServiceUnavailable', 'The store is away.');
    };
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 503]);
    expect(await statusOfSession('flagstaff-session=forged')).toBe(503);
  });
});

test('A relay has metrics, too, for the tokens of its store', async () => {
  const { adminToken: token } = await freshService();
  const { TABLE_NAME = '' } = process.env;
  const variables = { RELAY: 'true', DYNAMODB_ENDPOINT: storeEndpoint(), TABLE_NAME, TRUSTED_PROXIES: '1' };
  const { url, status } = await startRuntime(variables);
  expect([(await fetch(url + path)).status, await status(path, token)]).toEqual([401, 200]);
});

test('A relay that serves any host has metrics for tokens only, since a proxy or a page of another site may ask', () => {
  const needsToken = (variables: NodeJS.ProcessEnv) =>
    metricsEndpointFor(readSettings({ RELAY: 'true', DYNAMODB_ENDPOINT: storeEndpoint(), ...variables })).declaration
      .audience !== 'public';
  expect([needsToken({}), needsToken({ ALLOWED_HOSTS: 'localhost' })]).toEqual([true, false]);
});

describe('An activity is counted by its outcome', () => {
  const readValue = (family: MetricFamily, labels: Readonly<Record<string, string>>) =>
    family.listSamples().find((sample) => isDeepStrictEqual(sample.labels, labels))?.value;

  test.each<[string, () => Error]>([
    ['conflict', failureErrors.conflict],
    ['throttled', failureErrors['throttled part']],
    ['throttled', failureErrors.throttled],
    ['failed', failureErrors['server error']],
    ['failed', failureErrors['lost answer']],
    ['cancelled', () => new DOMException('The caller has gone.', 'AbortError')],
    ['refused', () => exceptionOf(400, { __type: 'AccessDeniedException' })],
    ['throttled', () => unavailableError(exceptionOf(400, { __type: 'ThrottlingException' }))],
  ])('a request to the store as %s', async (result, makeError) => {
    const labels = { operation: 'UpdateItem', result };
    const before = readValue(metrics.storeRequests, labels) ?? Number.NaN;
    const error = makeError();
    const request = () => measureActivity({ kind: 'store request', name: 'UpdateItem' }, () => Promise.reject(error));
    await expect(request()).rejects.toBe(error);
    expect(readValue(metrics.storeRequests, labels)).toBe(before + 1);
  });

  test('a mail, a scheduled change request, background work and a delivery', async () => {
    const failing = () => Promise.reject(new Error('It failed.'));
    await measureActivity({ kind: 'mail', name: 'mail' }, async () => {});
    await measureActivity({ kind: 'mail', name: 'mail' }, failing).catch(() => {});
    const application = { kind: 'scheduled change', name: 'apply', outcomeOf: (outcome: string) => outcome } as const;
    await measureActivity(application, async () => 'refused');
    await measureActivity({ kind: 'background work', name: 'schedules' }, failing).catch(() => {});
    const line = {
      level: 'ERROR',
      integration: 1,
      provider: 'slack-app',
      eventId: 1,
      type: '',
      attempt: 1,
      ms: 30,
    } as const;
    countAttempt({ ...line, outcome: 'retry' });
    countAttempt({ ...line, outcome: 'given up' });
    showReceivers([{}, { paused: 'status code 410' }]);
    expect([
      readValue(metrics.mails, { result: 'sent' }),
      readValue(metrics.mails, { result: 'failed' }),
      readValue(metrics.scheduledChanges, { result: 'refused' }),
      readValue(metrics.backgroundRuns, { work: 'schedules', result: 'failed' }),
      readValue(metrics.deliveries, { provider: 'slack-app', result: 'retry' }),
      readValue(metrics.deliveries, { provider: 'slack-app', result: 'given_up' }),
      readValue(metrics.waitingIntegrations, {}),
      readValue(metrics.pausedIntegrations, {}),
    ]).toEqual([1, 1, 1, 1, 1, 1, 2, 1]);
    const bucket = { provider: 'slack-app', le: '0.05' };
    expect(readValue(metrics.deliveryDurations, bucket)).toBe(1);
  });
});
