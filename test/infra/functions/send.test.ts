import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '../../../infra/functions/send.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { listenToCommits } from '../../../lib/store/transactions/commit-listener.ts';
import { addFeatures } from '../../harness/features.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { serviceForEach } from '../../specifications/specify.ts';
import { reminderEvent, scheduledEvent, streamEvent } from './aws-events.ts';

const service = serviceForEach();
let receiver: Receiver;
let eventBridge: Receiver;
let committed: Key[];

beforeEach(async () => {
  receiver = await Receiver.start();
  eventBridge = await Receiver.start();
  vi.stubEnv('INTEGRATION_ALLOWED_HOSTS', '127.0.0.1');
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', eventBridge.url);
  vi.stubEnv('CLOCK_RULE', 'the-clock');
  committed = [];
  listenToCommits(service.table.store, (keys) => void committed.push(...keys));
  onTestFinished(async () => {
    await receiver[Symbol.asyncDispose]();
    await eventBridge[Symbol.asyncDispose]();
  });
  await callByClock();
  switched();
});

/** Returns the event of the stream for everything that was committed since. */
function stream(eventName?: 'INSERT' | 'MODIFY', ageSeconds = 5) {
  return streamEvent(committed.splice(0), eventName, Date.now() - ageSeconds * 1_000);
}

const callByClock = () => handler(scheduledEvent());

/** Returns the switches of the clock since. */
function switched(): string[] {
  return eventBridge.received.splice(0).map(({ headers, body }) => {
    expect(JSON.parse(body)).toEqual({ Name: 'the-clock' });
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/events\/aws4_request/);
    return String(headers['x-amz-target']).replace('AWSEvents.', '');
  });
}

async function addWebhook(enabled = true): Promise<number> {
  const addon = { provider: 'webhook', enabled, parameters: { url: receiver.url }, events: ['feature-created'] };
  return (await service.post('/api/admin/addons', addon)).body.id;
}

test('The stream announces what was committed, and nothing else', async () => {
  await addWebhook();
  committed.length = 0;
  await addFeatures(service, ['a']);
  await handler(stream('MODIFY'));
  expect(receiver.received).toEqual([]);
  await addFeatures(service, ['b']);
  await handler(stream());
  expect(receiver.events.map(({ featureName }) => featureName)).toEqual(['b']);
});

test('A clock that is a day behind that of the stream does not prevent sending', async () => {
  await addWebhook();
  await addFeatures(service, ['a']);
  await handler(stream('INSERT', -86_400));
  expect(receiver.events.map(({ featureName }) => featureName)).toEqual(['a']);
});

test('The clock finds what the stream has not announced', async () => {
  await addWebhook();
  await addFeatures(service, ['a']);
  await callByClock();
  expect(receiver.events.map(({ featureName }) => featureName)).toEqual(['a']);
});

test('The clock runs only while an integration is enabled', async () => {
  const id = await addWebhook(false);
  await handler(stream());
  expect(switched()).toEqual([]);
  await callByClock();
  expect(switched()).toEqual(['DisableRule']);
  const addon = { provider: 'webhook', enabled: true, parameters: { url: '*****' }, events: ['feature-created'] };
  await service.put(`/api/admin/addons/${id}`, addon);
  await handler(stream());
  expect(switched()).toEqual(['EnableRule']);
  await callByClock();
  expect(switched()).toEqual([]);
  await handler(reminderEvent);
  expect(switched()).toEqual(['EnableRule']);
});
