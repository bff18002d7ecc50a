import { clockWork } from '../../lib/change-requests/schedules/clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { warn } from './warn.ts';

/** Scheduled change requests that are applied at their time, for as long as the server runs. */
export interface LocalSchedules {
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

/** The time from one look at what is due to the next, and so the most that it comes late. */
const tickMs = 5_000;

/** Applies scheduled change requests at their time, at once those whose time came while no server ran, and sends mails. */
export function startSchedules(): LocalSchedules {
  const underWay = new Map<unknown, Promise<void>>();
  const tick = () => {
    // Each by itself, so that no schedule waits for mails.
    for (const work of clockWork.filter((each) => !underWay.has(each))) {
      const done = work(createEnvironmentRequest(), new Date()).catch(warnOfFailure);
      underWay.set(
        work,
        done.finally(() => underWay.delete(work)),
      );
    }
  };
  tick();
  const timer = setInterval(tick, tickMs);
  return {
    async close() {
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** The store is out of reach, say: the next tick goes on. */
function warnOfFailure(error: unknown): void {
  warn('Scheduled change requests could not be applied, or mails about them be sent; it is tried again', error);
}
