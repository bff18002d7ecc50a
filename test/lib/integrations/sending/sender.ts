import { notifySender } from '../../../../lib/integrations/sending/notify.ts';
import { loadPlan } from '../../../../lib/integrations/sending/plan.ts';
import { poll } from '../../../../lib/integrations/sending/poll.ts';
import { postOut } from '../../../../lib/integrations/sending/post.ts';
import type { Clock } from '../../../../lib/integrations/sending/rate-limit.ts';
import { scanEvents } from '../../../../lib/integrations/sending/scan.ts';
import type { AttemptLine, Sender } from '../../../../lib/integrations/sending/sender.ts';
import type { Request } from '../../../../lib/request.ts';
import type { Key } from '../../../../lib/store/client/definition.ts';
import { listenToCommits } from '../../../../lib/store/transactions/commit-listener.ts';

/** A clock that goes on with the real one, and is moved by those who sleep. */
class MovedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.move(milliseconds);
  }

  move(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }
}

/** A process that sends, moved by hand: nothing happens in it but what a test calls for. */
export class TestSender {
  readonly clock = new MovedClock();
  readonly lines: AttemptLine[] = [];
  readonly warnings: string[] = [];
  readonly stopping = new AbortController();
  readonly sender: Sender;
  readonly #committed: Key[] = [];

  /** @param options `hears` is false for one that loses timeouts before any answer. */
  constructor(request: Request, { allowedHosts = ['127.0.0.1'], hears = true } = {}) {
    this.sender = {
      request,
      post: async (request) => {
        // No limit of real time, by which a busy machine would change the outcome.
        const timeouts = { connectMs: 150_000, totalMs: 150_000 };
        const answer = await postOut(request, { allowedHosts, ownPorts: [], timeouts });
        return hears ? answer : { lost: 'no answer within 15 s', timedOut: true };
      },
      clock: this.clock,
      publicUrl: () => 'https://flags.example.com',
      userAgent: 'Flagstaff/test',
      log: (line) => void this.lines.push(line),
      warn: (what) => void this.warnings.push(what),
      signal: this.stopping.signal,
      rateLimits: new Map(),
    };
    listenToCommits(request.store, (keys) => void this.#committed.push(...keys));
  }

  /** Begins with this moment, as a start of the service does. */
  async begin(): Promise<this> {
    await loadPlan(this.sender);
    return this;
  }

  /** Rings for all that was committed since the last time. */
  async notify(): Promise<void> {
    await notifySender(this.sender, this.#committed.splice(0));
  }

  /** Announces nothing of what was committed. */
  lose(): void {
    this.#committed.length = 0;
  }

  async poll(): Promise<void> {
    await poll(this.sender);
  }

  async scan(): Promise<void> {
    await scanEvents(this.sender, await loadPlan(this.sender));
  }

  /** Lets time pass, minute by minute, with the clock ringing in each. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.clock.move(60_000);
      await this.poll();
    }
  }
}
