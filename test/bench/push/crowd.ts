import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './connections.ts';

/** A process that does not answer within this time is stuck. */
const patienceMs = 60_000;

type ReportOf<Kind extends Report['kind']> = Extract<Report, { readonly kind: Kind }>;

/** Many connections, in a process of their own. */
export class Crowd implements Disposable {
  readonly #child = fork(fileURLToPath(new URL('connections.ts', import.meta.url)));

  /**
   * Opens streams.
   * @param to.lastId the id of the state that each client already has.
   * @returns the number of refused streams, and the id of the state that the others have then.
   */
  connect(to: { readonly port: number; readonly secret: string; readonly count: number; readonly lastId?: string }) {
    return this.#order({ kind: 'connect', ...to }, 'connected');
  }

  /** Makes a change, and returns the milliseconds from its answer until the last connection has it. */
  async measure(id: number, change: () => Promise<void>): Promise<number> {
    await this.#order({ kind: 'await event', id }, 'is ready');
    const all = this.#next('all have it');
    await change();
    const answeredAt = performance.timeOrigin + performance.now();
    const { at } = await all;
    return at - answeredAt;
  }

  /** Closes all connections. */
  drop() {
    return this.#order({ kind: 'drop' }, 'all ended');
  }

  /** Waits until the server has closed all connections. */
  untilEnded() {
    return this.#next('all ended');
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }

  #order<Kind extends Report['kind']>(order: Order, kind: Kind): Promise<ReportOf<Kind>> {
    const answer = this.#next(kind);
    this.#child.send(order);
    return answer;
  }

  async #next<Kind extends Report['kind']>(kind: Kind): Promise<ReportOf<Kind>> {
    for (;;) {
      const [report] = (await once(this.#child, 'message', { signal: AbortSignal.timeout(patienceMs) })) as [Report];
      if (report.kind === kind) return report as ReportOf<Kind>;
    }
  }
}
