import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting {
  readonly at: number;
  readonly go: () => void;
}

/** Turns of the process without news after which it has nothing left to do but wait. */
const idleTurns = 4;

/**
 * Time that passes only where everybody waits for it: what happens at the same time happens in an order that chance decides,
 * and an hour takes no time.
 */
export class VirtualTime {
  /** Milliseconds since 1970. */
  now: number;
  /** The requests to the store that are being answered. */
  underWay = 0;
  #waiting: Waiting[] = [];

  constructor(now: number) {
    this.now = now;
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((go) => void this.#waiting.push({ at: this.now + Math.max(milliseconds, 0), go }));
  }

  /** Lets time pass until a moment. */
  async passTo(end: number): Promise<void> {
    for (;;) {
      await this.#idle();
      const next = this.#waiting.reduce<Waiting | undefined>(
        (one, other) => (one && one.at <= other.at ? one : other),
        undefined,
      );
      if (next === undefined || next.at > end) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.now = Math.max(this.now, next.at);
      next.go();
    }
    this.now = end;
  }

  async #idle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns += 1) {
      await nextTurn();
      if (this.underWay > 0) turns = 0;
    }
  }
}
