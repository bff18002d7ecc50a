import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CustomResourceEvent } from '../../../infra/functions/custom-resource.ts';
import { handler, type PreparationProperties } from '../../../infra/functions/prepare-store.ts';
import { listEnvironments } from '../../../lib/environments/environments.ts';
import { createToken, listTokens } from '../../../lib/identity/tokens/tokens.ts';
import { lastMigration } from '../../../lib/migrations/migrate.ts';
import type { Request } from '../../../lib/request.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { dynamoDbTable } from '../../harness/dynamodb-table.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { beforeRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { giveBackups } from '../backups.ts';
import { customResourceEvent } from './aws-events.ts';

let table: Request;
let cloudFormation: Receiver;
let logged: unknown[];

beforeEach(async () => {
  table = await freshTable();
  cloudFormation = await Receiver.start();
  logged = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void logged.push(...parts));
  }
});

afterEach(async () => {
  await cloudFormation[Symbol.asyncDispose]();
});

type RequestType = CustomResourceEvent<unknown>['RequestType'];

/** Calls the function, and returns what it said to CloudFormation. */
async function call(RequestType: RequestType, more: Partial<PreparationProperties> = {}, remaining = 60_000) {
  const properties = { TableName: table.store.name, Migrations: String(lastMigration), ...more };
  const event = customResourceEvent(RequestType, `${cloudFormation.url}/answer?signature=abc`, properties);
  await handler(event, { getRemainingTimeInMillis: () => remaining });
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId, ...answer } = cloudFormation.events.at(-1) ?? {};
  expect({ StackId, RequestId, LogicalResourceId, PhysicalResourceId }).toEqual({
    ...{ StackId: event.StackId, RequestId: event.RequestId },
    ...{ LogicalResourceId: event.LogicalResourceId, PhysicalResourceId: event.LogicalResourceId },
  });
  return answer;
}

test('a created store has the content of every store, and no token', async () => {
  await expect(call('Create')).resolves.toEqual({ Status: 'SUCCESS' });
  await expect(listEnvironments(table)).resolves.toHaveLength(3);
  await expect(listTokens(table)).resolves.toEqual([]);
});

test('the answer is a PUT without a content type, which the signature of its address does not cover', async () => {
  await call('Create');
  expect(cloudFormation.received).toHaveLength(1);
  expect(cloudFormation.received[0]?.method).toBe('PUT');
  expect(cloudFormation.received[0]?.headers).not.toHaveProperty('content-type');
  expect(cloudFormation.received[0]?.headers).toHaveProperty('content-length');
});

test('two updates add nothing and keep the identity of the resource', async () => {
  await call('Create');
  await createToken(table, { kind: 'admin', name: 'ann' });
  const tokens = await listTokens(table);
  const events = await serviceEvents(table);

  await expect(call('Update')).resolves.toEqual({ Status: 'SUCCESS' });
  await expect(call('Update')).resolves.toEqual({ Status: 'SUCCESS' });

  await expect(listTokens(table)).resolves.toEqual(tokens);
  await expect(serviceEvents(table)).resolves.toEqual(events);
});

test('a rollback from a release that has migrated the store succeeds, and a store of release 0.1 is refused', async () => {
  await call('Create');
  const newer = { put: keys.migrations(), item: { last: lastMigration + 1, version: 2 } };
  await transact(table, [newer], undefined);
  await expect(call('Update')).resolves.toEqual({ Status: 'SUCCESS' });
  await transact(table, [{ remove: keys.migrations() }], undefined);
  await expect(call('Update')).resolves.toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('0.1') });
});

test('a deletion leaves the store as it is', async () => {
  await call('Create');
  const before = await serviceEvents(table);
  await expect(call('Delete')).resolves.toEqual({ Status: 'SUCCESS' });
  await expect(serviceEvents(table)).resolves.toEqual(before);
  await expect(listEnvironments(table)).resolves.toHaveLength(3);
});

const restored = { DeletionProtection: 'true', MaxReadUnits: '200', MaxWriteUnits: '100' };

test('a restored table lets items expire and is protected from then on; the content that it has stays', async () => {
  table = await dynamoDbTable();
  await call('Create');
  await createToken(table, { kind: 'admin', name: 'ann' });
  const backups = giveBackups(table);
  await expect(call('Update', restored)).resolves.toEqual({ Status: 'SUCCESS' });

  const TableName = table.store.name;
  const { TimeToLiveDescription } = await table.store.client.send('DescribeTimeToLive', { TableName });
  expect(TimeToLiveDescription?.TimeToLiveStatus).toMatch(/^ENABL/);
  const { Table } = await table.store.client.send('DescribeTable', { TableName });
  expect(Table?.DeletionProtectionEnabled).toBe(true);
  expect(Table?.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 200, MaxWriteRequestUnits: 100 });
  expect(backups.isRecorded()).toBe(true);
  await expect(listTokens(table)).resolves.toHaveLength(1);
  // Protected, it would outlive the tests.
  await expect(call('Update', { ...restored, DeletionProtection: 'false' })).resolves.toMatchObject({
    Status: 'SUCCESS',
  });
});

const refused = Object.assign(new Error('Not authorized.'), { name: 'AccessDeniedException' });

test('missing rights are retried', async () => {
  let calls = 0;
  beforeRequests(table, () => {
    calls += 1;
    if (calls === 1) throw refused;
  });
  await expect(call('Create')).resolves.toEqual({ Status: 'SUCCESS' });
  await expect(listEnvironments(table)).resolves.toHaveLength(3);
});

test.each([
  ['for preparing', {}],
  ['for protecting', restored],
])('a table that does not exist fails with its reason, %s', async (_for, more) => {
  vi.stubEnv('TABLE_NAME', 'missing');
  await expect(call('Create', more)).resolves.toMatchObject({
    Status: 'FAILED',
    Reason: expect.stringContaining('ResourceNotFoundException'),
  });
});

test('work that takes too long is reported before the function is stopped', async () => {
  beforeRequests(table, () => new Promise(() => {}));
  await expect(call('Create', {}, 10_050)).resolves.toMatchObject({
    Status: 'FAILED',
    Reason: 'The function took too long.',
  });
});

test('an answer that CloudFormation does not accept fails the call, so that Lambda makes it again', async () => {
  cloudFormation.answer = () => ({ status: 403 });
  await expect(call('Create')).rejects.toThrow('CloudFormation did not accept the answer: 403.');
});

test('a failure is logged, without the signed address of the answer', async () => {
  await call('Create');
  vi.stubEnv('TABLE_NAME', 'missing');
  await call('Update');
  expect(logged).toHaveLength(1);
  expect(JSON.stringify(logged)).not.toContain('signature=abc');
});
