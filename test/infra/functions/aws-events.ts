import { randomUUID } from 'node:crypto';
import type { Key } from '../../../lib/store/client/definition.ts';

// Events have all members that AWS documents: a function must not tell two events apart by a member that both have.

const place = { account: '123456789012', region: 'eu-central-1' };
const arnOf = (service: string, resource: string) => `arn:aws:${service}:${place.region}:${place.account}:${resource}`;

/** Returns the event that EventBridge sends for a rule with a schedule. */
export function scheduledEvent() {
  return {
    ...{ version: '0', id: randomUUID(), 'detail-type': 'Scheduled Event' as const, source: 'aws.events', ...place },
    ...{ time: '2026-11-29T00:00:00Z', resources: [arnOf('events', 'rule/flagstaff-schedules')], detail: {} },
  };
}

/** Returns the event that EventBridge sends when an alarm of CloudWatch changes its state. */
export function alarmEvent(alarmName: string, value: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA', at: Date) {
  const metric = { namespace: 'Shop', name: 'Errors', dimensions: { Stage: 'production' } };
  const metrics = [{ id: 'm1', metricStat: { metric, period: 60, stat: 'Sum' }, returnData: true }];
  const stateOf = (state: typeof value, since: Date) => ({
    value: state,
    reason: 'Threshold Crossed: 1 out of the last 1 datapoints was greater than the threshold (5.0).',
    reasonData: JSON.stringify({ version: '1.0', statistic: 'Sum', period: 60, recentDatapoints: [7], threshold: 5 }),
    timestamp: since.toISOString().replace('Z', '+0000'),
  });
  return {
    ...{ version: '0', id: randomUUID(), 'detail-type': 'CloudWatch Alarm State Change' as const },
    ...{ source: 'aws.cloudwatch', ...place, time: at.toISOString().replace(/\.\d+/, '') },
    resources: [arnOf('cloudwatch', `alarm:${alarmName}`)],
    detail: {
      alarmName,
      configuration: { description: 'Orders fail.', metrics },
      previousState: stateOf(value === 'OK' ? 'ALARM' : 'OK', new Date(at.getTime() - 60_000)),
      state: stateOf(value, at),
    },
  };
}

/** Returns the event that Lambda sends for changes in the stream of a table, which contains the keys of items only. */
export function streamEvent(
  keys: readonly Key[],
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE' = 'INSERT',
  at = Date.now(),
) {
  const Records = keys.map(({ pk, sk }, index) => ({
    ...{ eventID: randomUUID(), eventName, eventVersion: '1.1', eventSource: 'aws:dynamodb', awsRegion: place.region },
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: { pk: { S: pk }, sk: { S: sk } },
      SequenceNumber: String(4_421_584_500_000_000_017n + BigInt(index)),
      SizeBytes: pk.length + sk.length + 4,
      StreamViewType: 'KEYS_ONLY',
    },
    eventSourceARN: arnOf('dynamodb', 'table/flagstaff/stream/2026-11-29T00:00:00.000'),
    // The store's time to live has removed the item.
    ...(eventName === 'REMOVE' && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
  }));
  return { Records };
}

/** The event that the slow rule of a function sends instead of that of its schedule. */
export const reminderEvent = { Records: [] };

/** Returns the event that CloudFormation sends to the function of a custom resource, which gets all properties as text. */
export function customResourceEvent<Properties extends object>(
  RequestType: 'Create' | 'Update' | 'Delete',
  ResponseURL: string,
  properties: Properties,
) {
  const ServiceToken = arnOf('lambda', 'function:prepare');
  const ResourceProperties = { ServiceToken, ServiceTimeout: '1200', ...properties };
  return {
    ...{ RequestType, ServiceToken, ResponseURL },
    StackId: arnOf('cloudformation', 'stack/flagstaff/51af3dc0-da77-11e4-872e-1234567db123'),
    ...{ RequestId: randomUUID(), LogicalResourceId: 'PreparedStoreResource4C5BA1A6' },
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'PreparedStoreResource4C5BA1A6' }),
    ...{ ResourceType: 'Custom::PreparedStore', ResourceProperties },
    ...(RequestType === 'Update' && { OldResourceProperties: { ...ResourceProperties, Migrations: '0' } }),
  };
}
