import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalProcess } from '../../harness/local-process.ts';

/** No server runs at the moment. */
export class NoServer extends Error {}

/** Servers that a proof starts and kills. */
export interface Fleet {
  /** Returns one of the servers that run now. @throws NoServer if there is none. */
  any(): LocalProcess;
}

/** Somebody who changes flags. */
export class Admin {
  readonly #fleet: Fleet;
  readonly #token: string;

  constructor(fleet: Fleet, token: string) {
    this.#fleet = fleet;
    this.#token = token;
  }

  /**
   * Sends a request until a server answers it. A server that dies may or may not have carried it out, so the next one may refuse it as
   * a repetition.
   * @returns the status and the body.
   */
  async ask(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
    for (;;) {
      try {
        const { url } = this.#fleet.any();
        const response = await fetch(url + path, {
          method,
          headers: { authorization: this.#token, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      } catch {
        // The server was killed; another one takes its place.
        await sleep(50);
      }
    }
  }
}
