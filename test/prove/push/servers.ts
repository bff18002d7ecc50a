import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalProcess, startLocalProcess } from '../../harness/local-process.ts';

/** No server runs at the moment. */
export class NoServer extends Error {}

/** Servers on one store, which are started, stopped and killed. */
export class Servers implements AsyncDisposable {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #random: () => number;
  readonly #running: LocalProcess[] = [];
  kills = 0;

  /** @param environment the settings of each server, with its store. */
  constructor(environment: NodeJS.ProcessEnv, random: () => number) {
    this.#environment = environment;
    this.#random = random;
  }

  async start(): Promise<LocalProcess> {
    const server = await startLocalProcess({ store: 'file', environment: this.#environment });
    this.#running.push(server);
    return server;
  }

  /** Returns one of the servers that run now. @throws NoServer if there is none. */
  any(): LocalProcess {
    const server = this.#running[Math.floor(this.#random() * this.#running.length)];
    if (server === undefined) throw new NoServer('No server runs.');
    return server;
  }

  /** Starts another server, and then kills the oldest one, or stops it with SIGTERM. */
  async replace(how: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.start();
    const [old] = this.#running.splice(0, 1);
    if (old === undefined) return;
    this.kills += 1;
    process.kill(old.pid, how);
    await old[Symbol.asyncDispose]();
  }

  /** Stops all servers, lets `action` work on the closed store, and starts as many again. */
  async whileStopped(action: () => void): Promise<void> {
    const stopped = this.#running.splice(0);
    await Promise.all(stopped.map((server) => server[Symbol.asyncDispose]()));
    action();
    for (const _ of stopped) await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.splice(0).map((server) => server[Symbol.asyncDispose]()));
  }
}

/** Copies the files of a closed store to another folder. */
export function copyFiles(from: string, to: string): void {
  rmSync(join(to, 'flagstaff.db'), { force: true });
  for (const end of ['-wal', '-shm']) rmSync(join(to, `flagstaff.db${end}`), { force: true });
  cpSync(join(from, 'flagstaff.db'), join(to, 'flagstaff.db'));
}
