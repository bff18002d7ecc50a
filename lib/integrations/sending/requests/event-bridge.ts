import { awsAddress } from '../../../helpers/sign-for-aws.ts';
import { eventBridgeConsequence } from '../answer.ts';
import { type BuildDelivery, requireParameter, Unsendable } from './outgoing.ts';
import { eventBody } from './webhook.ts';

/** The ARN of a bus, with its region. */
const busArn = /^arn:aws[\w-]*:events:([a-z0-9-]+):\d{12}:event-bus\/[\w./-]{1,256}$/;
/** The most bytes of the detail: an entry of EventBridge has at most 256 kB. */
const detailBytesMax = 240 * 1024;

/** Tells whether a text is the ARN of a bus. */
export function isBusArn(text: string): boolean {
  return busArn.test(text);
}

/** Builds the request that puts an event on a bus of EventBridge. */
export const eventBridge: BuildDelivery = (addon, event, circumstances) => {
  const bus = requireParameter(addon, 'busArn');
  const [, region] = busArn.exec(bus) ?? [];
  if (region === undefined) throw new Unsendable('The parameter "busArn" is not the ARN of an event bus.');
  const whole = JSON.stringify(eventBody(event, circumstances));
  const isTruncated = Buffer.byteLength(whole) > detailBytesMax;
  const detail = isTruncated
    ? JSON.stringify({ ...eventBody({ ...event, data: null, preData: null }, circumstances), truncated: true })
    : whole;
  const entry = {
    EventBusName: bus,
    Source: 'flagstaff',
    DetailType: event.type,
    Detail: detail,
    Time: Math.floor(Date.parse(event.createdAt) / 1000),
    Resources: [
      ...(event.project === null ? [] : [`project/${event.project}`]),
      ...(event.featureName === null ? [] : [`feature/${event.featureName}`]),
    ],
  };
  return {
    requests: [
      {
        target: '',
        url: awsAddress('events', region),
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
        body: JSON.stringify({ Entries: [entry] }),
        isOfAws: true,
      },
    ],
    details: { busArn: bus, detailType: event.type, truncated: isTruncated },
    flaws: [],
    consequenceOf: eventBridgeConsequence,
  };
};
