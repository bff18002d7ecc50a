import { expect } from 'vitest';
import { toggleFeatureEnvironmentOn } from '../../../functions/features/environments.ts';
import { getFeature, updateFeature } from '../../../functions/features/features.ts';
import { searchFeatures } from '../../../functions/search/search.ts';
import { createSegment } from '../../../functions/segments/segments.ts';
import type { CallableEndpoint } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import type { Call } from '../../../lib/http/handler-types.ts';
import { openObject } from '../../../lib/values/primitives.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { protect } from '../../harness/protection.ts';
import type { Service } from '../../harness/service.ts';
import { test } from '../../specifications/specify.ts';
import { call } from './requests.ts';

logWatch.allow('POST /calls');
const calls: readonly CallableEndpoint[] = [createSegment, getFeature, searchFeatures, toggleFeatureEnvironmentOn];

/** Sends a request whose operation calls others, and returns the reply. */
async function during(
  { table, adminToken }: Service,
  run: (call: Call) => Promise<unknown>,
  token = adminToken,
  declared = calls,
) {
  const caller = endpoint({
    route: 'POST /calls',
    group: 'Test',
    summary: 'Test.',
    permission: 'NONE',
    rights: 'calls',
    calls: declared,
    responses: { 200: openObject({}) },
  }).handle(async ({ call: callOperation }) => ({ value: await run(callOperation) }));
  process.env.TABLE_NAME = table.store.name;
  logWatch.keepToken(token);
  const { statusCode, body = '' } = await call(caller, { headers: { authorization: token } });
  return { status: statusCode, body: JSON.parse(body) };
}

test('An operation that another one calls answers as it does to a request of its own', async ({ service, world }) => {
  const project = await world.project();
  const { name } = await world.feature({ project });
  const params = { projectId: project, featureName: name };
  const { body } = await during(service, (callOperation) => callOperation(getFeature, { params }));
  expect(body.value).toEqual((await service.get(`/api/admin/projects/${project}/features/${name}`)).body);
  const query = { query: name, status: ['development:disabled', 'x:enabled'], limit: '1', tag: undefined };
  const found = await during(service, (callOperation) => callOperation(searchFeatures, { query }));
  expect(found.body.value).toMatchObject({ total: 1, features: [{ name }] });
});

test('An operation that another one calls refuses what it refuses otherwise', async ({ service, world }) => {
  const project = await world.project();
  const { name } = await world.feature({ project });
  const params = { projectId: project, featureName: name };
  const errorOf = async (run: (call: Call) => Promise<unknown>, token?: string) => {
    const { status, body } = await during(service, run, token);
    return [status, body.name, body.details?.[0]?.path];
  };
  const viewer = await world.token();
  const segment = { name: world.name('segment'), constraints: [] };
  const create = (callOperation: Call) => callOperation(createSegment, { body: segment });
  // The permission, maintenance, the input, and what is there.
  expect(await errorOf(create, viewer)).toEqual([403, 'NoAccessError', undefined]);
  await service.post('/api/admin/maintenance', { enabled: true });
  expect(await errorOf(create)).toEqual([503, 'ServiceUnavailable', undefined]);
  await service.post('/api/admin/maintenance', { enabled: false });
  const invalid = { name: '', constraints: [{ contextName: 'a', operator: 'IN', values: 1 }] };
  expect(await errorOf((callOperation) => callOperation(createSegment, { body: invalid as never }))).toEqual([
    ...[400, 'ValidationError', expect.any(String)],
  ]);
  const missing = { ...params, featureName: 'missing' };
  const read = (callOperation: Call) => callOperation(getFeature, { params: missing });
  expect(await errorOf(read)).toEqual([404, 'NotFoundError', undefined]);
  // Approval, and a project that the caller may not see.
  await protect(service.table, { projectId: project, environment: 'development' });
  const editor = await world.token({ rootRole: 'Editor' });
  const place = { ...params, environment: 'development' };
  const switchOn = (callOperation: Call) => callOperation(toggleFeatureEnvironmentOn, { params: place });
  expect(await errorOf(switchOn, editor)).toEqual([403, 'PermissionError', undefined]);
  await world.ask('PUT', `/api/admin/projects/${project}/settings`, { mode: 'private' });
  expect(await errorOf((callOperation) => callOperation(getFeature, { params }), viewer)).toEqual([
    ...[404, 'NotFoundError', undefined],
  ]);
});

test('An operation that calls others has their access, and none that it does not declare', async ({ service }) => {
  const { status } = await during(service, (callOperation) => callOperation(updateFeature as CallableEndpoint));
  expect(status).toBe(500);
});
