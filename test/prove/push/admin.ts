import { setTimeout as sleep } from 'node:timers/promises';
import type { Servers } from './servers.ts';

/** Sends requests of an administrator to servers that may be killed. */
export class Admin {
  readonly #servers: Servers;
  readonly #token: string;

  constructor(servers: Servers, token: string) {
    this.#servers = servers;
    this.#token = token;
  }

  /**
   * Sends a request until a server answers it. A server that was killed may have carried it out, so the next one may refuse it as a
   * repetition.
   * @returns the status and the body.
   */
  async ask(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
    for (;;) {
      try {
        const { url } = this.#servers.any();
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
