import type { Request } from '../../request.ts';
import type { Addon } from '../addons.ts';
import type { Answer } from './answer.ts';
import { type Clock, RateLimit } from './rate-limit.ts';
import type { Outgoing } from './requests/outgoing.ts';

/** One line of the log about an attempt: no address, no content. */
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

/** Everything that sending needs of its surroundings; the same in Lambda and on a machine. */
export interface Sender {
  readonly work: Request;
  /** Posts a request, if its address may be asked. */
  readonly post: (request: Outgoing) => Promise<Answer>;
  readonly clock: Clock;
  /** The address of this service, for links. */
  readonly publicUrl: () => string | undefined;
  /** The header `user-agent`. */
  readonly userAgent: string;
  readonly log: (line: AttemptLine) => void;
  /** Tells operators of something that they should look at, in a sentence without its full stop. */
  readonly warn: (sentence: string) => void;
  /** No further event is begun once it aborts. */
  readonly signal: AbortSignal;
  readonly rateLimits: Map<string, RateLimit>;
}

/** The real time. */
export const realClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((done) => void setTimeout(done, milliseconds)),
};

/** Queues of an integration at once; Slack takes about one message a second. */
const queuesAtOnce = 10;
const slackPauseMs = 1_000;

/** Returns the rate limit of an integration, the same for all that this process sends to it, until it is one of another provider. */
export function rateLimitOf(
  { rateLimits, clock }: Sender,
  { id, addon: { provider } }: { readonly id: number; readonly addon: Addon },
): RateLimit {
  const name = `${id} ${provider}`;
  const known = rateLimits.get(name);
  if (known !== undefined) return known;
  const pauseMs = provider.startsWith('slack') ? slackPauseMs : 0;
  const rateLimit = new RateLimit(clock, { atOnce: queuesAtOnce, pauseMs });
  rateLimits.set(name, rateLimit);
  return rateLimit;
}
