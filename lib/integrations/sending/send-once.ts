import { type Activity, carryOut } from '../../activities.ts';
import type { Event } from '../../events/event-schema.ts';
import { signForAws } from '../../helpers/sign-for-aws.ts';
import type { Answer, Consequence } from './answer.ts';
import { repeatMs } from './backoff.ts';
import type { SendAttempt, SendOutcome } from './delivery-records.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { Integration } from './integration.ts';
import type { QueueEvent } from './queue-events.ts';
import { type Outgoing, type PreparedDelivery, parameter, Unsendable } from './requests/outgoing.ts';
import { prepareDelivery } from './requests/prepare.ts';
import { rateLimitOf, type Sender } from './sender.ts';
import { signWebhook } from './signature.ts';

/** A target that has received an event, or refused it for the given reason. */
interface TargetDone {
  readonly target: string;
  readonly refused?: string;
}

/** The outcome of one attempt to send an event to an integration. */
export interface Delivery {
  /** `taken` and `refused` are final; other events are sent again. */
  readonly kind: Consequence['kind'];
  readonly outcome: SendOutcome;
  /** The pause that the receiver asks for, in milliseconds. */
  readonly afterMs: number;
  /** No answer came within the time. */
  readonly isSilent: boolean;
  /** The receiver has answered a request. */
  readonly isAnswered: boolean;
  /** The targets that are done. */
  readonly done: readonly TargetDone[];
}

interface Message {
  readonly queueEvent: QueueEvent;
  /** The part of the event that the integration may see. */
  readonly event: Event;
  /** The id of the message, the same for all attempts and integrations. */
  readonly id: string;
  readonly attempts: readonly SendAttempt[];
  readonly done: readonly TargetDone[];
  /** Renews the lease before each request; false if it was lost. */
  readonly keep: () => Promise<boolean>;
  /** Tells before each request whether the integration is unchanged. */
  readonly isCurrent: () => Promise<boolean>;
}

/** Returns the id of the messages of an event. It includes the store, since event ids repeat after a restore. */
export function messageId(store: string, { id, createdAt }: Pick<Event, 'id' | 'createdAt'>): string {
  return `ev_${store}_${id}_${Date.parse(createdAt).toString(36)}`;
}

/**
 * Sends an event to the remaining targets of an integration, one after the other, until one must wait.
 * @returns undefined if the lease was lost before a request.
 */
export async function sendOnce(
  sender: Sender,
  integration: Integration,
  { queueEvent, event, id, attempts, done, keep, isCurrent }: Message,
): Promise<Delivery | undefined> {
  const { clock } = sender;
  let prepared: PreparedDelivery;
  try {
    const circumstances = { publicUrl: sender.publicUrl(), groupId: queueEvent.groupId, at: clock.now() };
    prepared = prepareDelivery(integration.addon, event, circumstances);
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    return refuse(error.message, attempts, clock.now());
  }
  const allAttempts = [...attempts];
  const finished = [...done];
  let isAnswered = false;
  const stop = (kind: 'retry' | 'paused', reason: string, afterMs = 0, isSilent = false): Delivery => {
    const outcome = {
      state: 'failed',
      stateDetails: reason,
      details: prepared.details,
      attempts: allAttempts,
    } as const;
    return { kind, outcome, afterMs, isSilent, isAnswered, done: finished };
  };
  const rateLimit = rateLimitOf(sender, integration);
  for (const request of prepared.requests.filter(({ target }) => !done.some((other) => other.target === target))) {
    for (let isRepeat = false; ; isRepeat = true) {
      await rateLimit.turn();
      if (!(await isCurrent())) return stop('retry', 'The integration has changed meanwhile');
      if (!(await keep())) return undefined;
      const { consequence, attempt, ...answer } = await postOnce(sender, integration, prepared, request, id);
      allAttempts.push(attempt);
      isAnswered ||= answer.isAnswered;
      log(sender, integration, event, allAttempts.length, attempt, consequence.kind);
      if (consequence.kind === 'retry') {
        const { reason, soon, afterMs = 0 } = consequence;
        if (!isRepeat && rateLimit.pauseFor(afterMs)) continue;
        if (isRepeat || soon !== true) return stop('retry', reason, afterMs, answer.isSilent);
        await clock.sleep(repeatMs);
        continue;
      }
      if (consequence.kind === 'paused') return stop('paused', consequence.reason);
      const { target } = request;
      finished.push(consequence.kind === 'taken' ? { target } : { target, refused: consequence.reason });
      break;
    }
  }
  return { ...outcomeOf(prepared, finished, allAttempts), isAnswered };
}

/** Returns the outcome after each target has accepted or refused the event. */
function outcomeOf(
  { details, flaws }: PreparedDelivery,
  done: readonly TargetDone[],
  attempts: readonly SendAttempt[],
): Omit<Delivery, 'isAnswered'> {
  const reasons = done.flatMap(({ target, refused: reason }) =>
    reason === undefined ? [] : [target === '' ? reason : `${target}: ${reason}`],
  );
  const taken = done.length - reasons.length;
  const isFlawless = reasons.length + flaws.length === 0;
  const successState = isFlawless ? 'success' : 'successWithErrors';
  const state = taken === 0 ? 'failed' : successState;
  const sent = done.length === 1 ? 'Delivered.' : `${taken} of ${done.length} have accepted it.`;
  const stateDetails = [...(taken > 0 ? [sent] : []), ...reasons, ...flaws].join('\n');
  const outcome = { state, stateDetails, details, attempts } as const;
  return { kind: taken === 0 ? 'refused' : 'taken', outcome, afterMs: 0, isSilent: false, done };
}

function refuse(reason: string, attempts: readonly SendAttempt[], now: number): Delivery {
  const attempt = { at: new Date(now).toISOString(), ms: 0, reason };
  const outcome = { state: 'failed', stateDetails: reason, details: {}, attempts: [...attempts, attempt] } as const;
  return { kind: 'refused', outcome, afterMs: 0, isSilent: false, isAnswered: false, done: [] };
}

async function postOnce(
  { post, clock, userAgent }: Sender,
  { addon }: Integration,
  prepared: PreparedDelivery,
  request: Outgoing,
  id: string,
) {
  const startedAt = clock.now();
  const timestamp = Math.floor(startedAt / 1000);
  const { body, isSigned, isOfAws } = request;
  const headers = {
    'user-agent': userAgent,
    ...request.headers,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(isSigned && {
      'webhook-signature': signWebhook({ id, timestamp, body }, parameter(addon, 'signingSecret')),
    }),
  };
  const signed = { ...request, headers: isOfAws ? await signAsService(request, headers) : headers };
  const delivery: Activity<Answer> = { kind: 'delivery', name: addon.provider, outcomeOf: answerOutcome };
  const received = await carryOut(delivery, () => post(signed));
  const answer = 'text' in received ? { ...received, text: hideSecrets(addon, received.text) } : received;
  const endedAt = clock.now();
  const consequence = prepared.consequenceOf(answer, endedAt);
  const reason = consequence.kind === 'taken' ? '' : consequence.reason;
  const attempt: SendAttempt = { at: new Date(startedAt).toISOString(), ms: endedAt - startedAt, reason };
  return { consequence, attempt, isSilent: 'timedOut' in answer, isAnswered: 'status' in answer };
}

/** Returns the status of an answer, or the kind of its absence. */
function answerOutcome(answer: Answer): string {
  if ('status' in answer) return String(answer.status);
  return 'lost' in answer ? 'lost' : 'forbidden';
}

/** Signs a request to EventBridge as this service, in the region of its address. */
function signAsService({ url, body }: Outgoing, headers: Readonly<Record<string, string>>) {
  const [, region] = /^https:\/\/events\.([a-z0-9-]+)\./.exec(url) ?? [];
  return signForAws('events', { url: new URL(url), headers, body: String(body) }, region);
}

const levels: Readonly<Record<Consequence['kind'], 'INFO' | 'WARN' | 'ERROR'>> = {
  taken: 'INFO',
  refused: 'ERROR',
  retry: 'WARN',
  paused: 'WARN',
};

function log(
  sender: Sender,
  { id, addon: { provider } }: Integration,
  { id: eventId, type }: Event,
  number: number,
  { ms }: SendAttempt,
  kind: Consequence['kind'],
): void {
  sender.log({ level: levels[kind], integration: id, provider, eventId, type, attempt: number, ms, outcome: kind });
}
