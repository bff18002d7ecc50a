import { awsAddress } from '../../../helpers/sign-for-aws.ts';
import { eventBridgeConsequence } from '../answer.ts';
import { type Preparing, requireParameter, Unsendable } from './outgoing.ts';
import { eventBody } from './webhook.ts';

/** The name of a bus at AWS, with its region. */
const busArn = /^arn:aws[\w-]*:events:([a-z0-9-]+):\d{12}:event-bus\/[\w./-]{1,256}$/;
/** EventBridge takes 256 kB an entry, all of it counted. */
const detailBytesMax = 240 * 1024;

/** Tells whether a text names a bus. */
export function isBusArn(text: string): boolean {
  return busArn.test(text);
}

/** Puts the event on a bus of EventBridge, whose rules lead anywhere within AWS. */
export const eventBridge: Preparing = (addon, event, circumstances) => {
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
