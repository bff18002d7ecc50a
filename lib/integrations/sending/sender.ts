import type { Request } from '../../request.ts';
import type { Addon } from '../addon-schema.ts';
import type { Answer } from './answer.ts';
import { type Clock, RateLimit } from './rate-limit.ts';
import type { Outgoing } from './requests/outgoing.ts';

/** A line of the log about an attempt, without address and content. */
export interface AttemptLine {
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly integration: number;
  readonly provider: string;
  readonly eventId: number;
  readonly type: string;
  readonly attempt: number;
  readonly ms: number;
  readonly outcome: string;
}

/** The surroundings of sending, in Lambda or on a machine. */
export interface Sender {
  readonly request: Request;
  /** Posts a request, if its address is allowed. */
  readonly post: (request: Outgoing) => Promise<Answer>;
  readonly clock: Clock;
  /** The address of this service, for links. */
  readonly publicUrl: () => string | undefined;
  /** The header `user-agent`. */
  readonly userAgent: string;
  readonly log: (line: AttemptLine) => void;
  /** Warns operators, in a sentence without a full stop. */
  readonly warn: (sentence: string) => void;
  /** The signal after which no further event is sent. */
  readonly signal: AbortSignal;
  readonly rateLimits: Map<string, RateLimit>;
}

/** The real time. */
export const realClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((done) => void setTimeout(done, milliseconds)),
};

/** The number of concurrent queues of an integration. Slack accepts about one message per second. */
const queuesAtOnce = 10;
const slackPauseMs = 1_000;

/** Returns the rate limit of an integration, which is the same for all its requests of this process while its provider stays. */
export function rateLimitOf(
  { rateLimits, clock }: Sender,
  { id, addon: { provider } }: { readonly id: number; readonly addon: Addon },
): RateLimit {
  const name = `${id} ${provider}`;
  const existing = rateLimits.get(name);
  if (existing !== undefined) return existing;
  const pauseMs = provider.startsWith('slack') ? slackPauseMs : 0;
  const rateLimit = new RateLimit(clock, { atOnce: queuesAtOnce, pauseMs });
  rateLimits.set(name, rateLimit);
  return rateLimit;
}
