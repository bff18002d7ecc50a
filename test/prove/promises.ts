import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Most delay of a change beyond the polling interval: the time that the service promises, and the slack of a busy
 * machine.
 */
export const changeMs = 1_200;
const slackMs = 500;

/** Promises to an SDK, or to another one that the title names, and whether they were kept. */
export class Promises {
  readonly #title: string;
  readonly #broken: string[] = [];
  #count = 0;

  constructor(title: string) {
    this.#title = title;
  }

  get broken(): readonly string[] {
    return this.#broken;
  }

  get count(): number {
    return this.#count;
  }

  hold(what: string, isKept: boolean, found: unknown = ''): void {
    this.#count += 1;
    if (!isKept) this.#broken.push(`${this.#title}: ${what}: ${JSON.stringify(found)}`);
  }

  same(what: string, found: unknown, wanted: unknown): void {
    this.hold(what, JSON.stringify(found) === JSON.stringify(wanted), { found, wanted });
  }

  /** Waits until something is so, and holds that it is within so many milliseconds. Answers how long it took. */
  async within(milliseconds: number, what: string, isSo: () => boolean | Promise<boolean>): Promise<number> {
    const start = performance.now();
    while (performance.now() - start < milliseconds + slackMs) {
      if (await isSo()) {
        this.hold(what, true);
        return Math.round(performance.now() - start);
      }
      await sleep(20);
    }
    this.hold(what, false, `not within ${milliseconds + slackMs} ms`);
    return Math.round(performance.now() - start);
  }
}
