import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '../../../infra/functions/apply-schedules.ts';
import { type ChangeRequest, contentHashOf } from '../../../lib/change-requests/change-request.ts';
import { changeRequests, requestCreated } from '../../../lib/change-requests/change-requests.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { serviceForEach } from '../../specifications/specify.ts';

const service = serviceForEach();
let eventBridge: Receiver;

beforeEach(async () => {
  eventBridge = await Receiver.start();
  vi.stubEnv('EVENTBRIDGE_ENDPOINT', eventBridge.url);
  vi.stubEnv('CLOCK_RULE', 'the-clock');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await eventBridge[Symbol.asyncDispose]();
  });
});

/** Returns the switches of the clock since. */
const switched = () =>
  eventBridge.received.splice(0).map(({ headers }) => String(headers['x-amz-target']).replace('AWSEvents.', ''));

/** Schedules a request that changes nothing, for so many minutes from now on. */
async function schedule(id: number, minutes: number): Promise<void> {
  const at = new Date().toISOString();
  const contentHash = contentHashOf('production', []);
  const scheduledAt = new Date(Date.now() + minutes * 60_000).toISOString();
  const scheduledBy = { id: -42, name: 'admin' };
  const one: ChangeRequest = {
    ...{ id, project: 'default', environment: 'production', createdBy: scheduledBy, createdAt: at, state: 'Scheduled' },
    ...{ minApprovals: 0, changes: [], lastId: 0, contributors: [], contentHash, approvals: [], rejections: [] },
    ...{ comments: [], reviewers: [], stateTimestamps: {} },
    schedule: { scheduledAt, status: 'pending', scheduledBy, contentHash },
  };
  await transact(service.table, requestCreated(one, at).writes, undefined);
}

const stateOf = async (id: number) => (await changeRequests.load(service.table, id)).value.state;

test('The clock runs from the moment that something is scheduled until nothing waits any more', async () => {
  await handler({});
  expect(switched()).toEqual(['DisableRule']);
  await schedule(1, 60);
  await handler({ Records: [{}] });
  expect(switched()).toEqual(['EnableRule']);
  await schedule(2, -1);
  await handler({});
  expect([await stateOf(1), await stateOf(2), switched()]).toEqual(['Scheduled', 'Applied', []]);
});

test('A schedule or a mail whose request is gone holds up no other one, and leaves the clock nothing to ring for', async () => {
  const mark = keys.schedule('2026-01-31T00:00:00.000Z', 7);
  const mail = JSON.stringify({ id: 7, occasion: 'review', to: [1] });
  await transact(
    service.table,
    [
      { put: mark, item: {} },
      { put: keys.mail(7, 1, 'review'), item: { mail } },
    ],
    undefined,
  );
  await schedule(1, -1);
  await handler({});
  expect([await stateOf(1), switched()]).toEqual(['Applied', ['DisableRule']]);
});
