import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '../../../infra/functions/run-clock.ts';
import { type ChangeRequest, contentHashOf } from '../../../lib/change-requests/change-request.ts';
import { buildRequestCreation, changeRequests } from '../../../lib/change-requests/change-requests.ts';
import * as changeRequestKeys from '../../../lib/change-requests/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { paths, readState } from '../../harness/features.ts';
import { World } from '../../harness/world.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { serviceForEach } from '../../specifications/specify.ts';
import { alarmEvent, reminderEvent, scheduledEvent, streamEvent } from './aws-events.ts';

const service = serviceForEach();
let eventBridge: Receiver;

beforeEach(async () => {
  eventBridge = await Receiver.start();
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', eventBridge.url);
  vi.stubEnv('CLOCK_RULE', 'the-clock');
  onTestFinished(() => eventBridge[Symbol.asyncDispose]());
});

/** Calls the function. */
const call = (event: Parameters<typeof handler>[0], seconds = 60) =>
  handler(event, { getRemainingTimeInMillis: () => seconds * 1_000 });

/** Returns the switches of the clock since. */
const switched = () =>
  eventBridge.received.splice(0).map(({ headers }) => String(headers['x-amz-target']).replace('AWSEvents.', ''));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Schedules a request that changes nothing, for so many minutes from now on; or makes another one. */
async function schedule(id: number, minutes: number, other: Partial<ChangeRequest> = {}): Promise<void> {
  const at = new Date().toISOString();
  const contentHash = contentHashOf('production', []);
  const scheduledBy = { id: -42, name: 'admin' };
  const one: ChangeRequest = {
    ...{ id, project: 'default', environment: 'production', createdBy: scheduledBy, createdAt: at, state: 'Scheduled' },
    ...{ minApprovals: 0, changes: [], lastId: 0, contributors: [], contentHash, approvals: [], rejections: [] },
    ...{ comments: [], reviewers: [], stateTimestamps: {} },
    schedule: { scheduledAt: inMinutes(minutes), status: 'pending', scheduledBy, contentHash },
    ...other,
  };
  await transact(service.table, buildRequestCreation(one, at).writes, undefined);
}

const stateOf = async (id: number) => (await changeRequests.load(service.table, id)).value.state;

test('The clock runs from the first schedule until nothing is waiting', async () => {
  await call(scheduledEvent());
  expect(switched()).toEqual(['DisableRule']);
  await schedule(1, 60);
  await call(streamEvent([changeRequestKeys.schedule(inMinutes(60), 1)]));
  expect(switched()).toEqual(['EnableRule']);
  await schedule(2, -1);
  await call(scheduledEvent());
  expect([await stateOf(1), await stateOf(2), switched()]).toEqual(['Scheduled', 'Applied', []]);
  await call(streamEvent([changeRequestKeys.alarm(3)], 'REMOVE'));
  expect(switched()).toEqual(['EnableRule']);
});

test('A call that has no time for all work leaves the clock on', async () => {
  await schedule(1, -5);
  await new World(service).feature();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.parse(inMinutes(5)));
  await call(scheduledEvent(), 20);
  expect([await stateOf(1), switched()]).toEqual(['Applied', []]);
  await call(scheduledEvent());
  expect(switched()).toEqual(['DisableRule']);
});

test('A schedule is applied late if the clock could not be turned on in time', async () => {
  await schedule(1, -1);
  eventBridge.answer = () => ({ status: 500 });
  await expect(call(streamEvent([changeRequestKeys.schedule(inMinutes(60), 1)]))).rejects.toThrow(
    'EventBridge did not turn the clock on',
  );
  eventBridge.answer = () => ({ status: 200 });
  switched();
  await call(reminderEvent);
  expect(switched()).toEqual(['EnableRule']);
  await call(scheduledEvent());
  expect([await stateOf(1), switched()]).toEqual(['Applied', ['DisableRule']]);
});

test('A schedule or a mail of a deleted request does not delay others, and does not keep the clock on', async () => {
  const mark = changeRequestKeys.schedule('2026-01-31T00:00:00.000Z', 7);
  const mail = JSON.stringify({ id: 7, occasion: 'review', to: [1] });
  await transact(
    service.table,
    [
      { put: mark, item: {} },
      { put: changeRequestKeys.mail(7, 1, 'review'), item: { mail } },
    ],
    undefined,
  );
  await schedule(1, -1);
  await call(scheduledEvent());
  expect([await stateOf(1), switched()]).toEqual(['Applied', ['DisableRule']]);
});

test('An alarm of CloudWatch reaches the safeguards that watch it, once, and does not touch the clock', async () => {
  const world = new World(service);
  const { name, place } = await world.feature({ on: true });
  await service.put(
    `/api/admin/projects/${place.projectId}/features/${name}/environments/${place.environment}/safeguards`,
    {
      impactMetric: { metricName: 'alarm:shop-errors', timeRange: 'hour', aggregationMode: 'count' },
      triggerCondition: { operator: '>', threshold: 0 },
    },
  );
  const begin = Date.now();
  const change = (value: Parameters<typeof alarmEvent>[1], seconds: number) =>
    call(alarmEvent('shop-errors', value, new Date(begin + seconds * 1_000)));
  await change('OK', 2);
  await change('ALARM', 1);
  await change('INSUFFICIENT_DATA', 2.5);
  expect((await readState(service, name)).enabled).toBe(true);
  await change('ALARM', 3);
  expect((await readState(service, name)).enabled).toBe(false);
  await service.post(paths.switch(name, 'on'));
  await change('ALARM', 3);
  expect((await readState(service, name)).enabled).toBe(true);
  expect(switched()).toEqual([]);
});

test('An unreadable request does not delay schedules, expiries and mails of others, and is reported', async () => {
  vi.stubEnv('EMAIL_SENDER', 'flags@example.com');
  const mailOf = (id: number) => changeRequestKeys.mail(id, 1, 'review');
  const mails = [1, 7].map((id) => ({
    ...{ put: mailOf(id), item: { mail: JSON.stringify({ id, occasion: 'review', to: [] }) } },
  }));
  const broken = [changeRequestKeys.schedule(inMinutes(-60), 7), changeRequestKeys.expiry(inMinutes(-60), 7)];
  const unreadable = { put: changeRequestKeys.changeRequest(7), item: { changes: 'no JSON' } };
  await transact(service.table, [...mails, unreadable, ...broken.map((put) => ({ put, item: {} }))], undefined);
  await schedule(1, -1);
  await schedule(2, -1, { state: 'In review', expiresAt: inMinutes(-1) });
  await expect(call(scheduledEvent())).rejects.toThrow('no JSON');
  const left = await Promise.all([1, 7].map((id) => readItem(service.table, mailOf(id))));
  expect([await stateOf(1), await stateOf(2), left, switched()]).toEqual([
    ...['Applied', 'Cancelled', [undefined, undefined], []],
  ]);
});
