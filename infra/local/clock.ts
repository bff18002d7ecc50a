import { type Activity, carryOut } from '../../lib/activities.ts';
import { clockWork } from '../../lib/clock/clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { warn } from './warn.ts';

/** The clock of a local server. */
export interface LocalClock {
  /** Begins no further work, and waits for what has begun. */
  close(): Promise<void>;
}

/** The time between two checks, and so the maximum delay. */
const pollMs = 5_000;

const round: Activity = { kind: 'background work', name: 'schedules' };

/** Does all work of the clock when it is due, or at once if it became due while no server ran. */
export function startClock(): LocalClock {
  const running = new Map<unknown, Promise<unknown>>();
  let isClosed = false;
  const untilClosed = { isOver: () => isClosed };
  const poll = () => {
    // Each kind of work runs on its own, so that schedules do not wait for mails.
    for (const work of clockWork.filter((kind) => !running.has(kind))) {
      const done = carryOut(round, () => work.run(createEnvironmentRequest(), new Date(), untilClosed)).catch(
        warnOfFailure,
      );
      running.set(
        work,
        done.finally(() => running.delete(work)),
      );
    }
  };
  poll();
  const timer = setInterval(poll, pollMs);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

/** The next poll tries again, for example when the store can be reached again. */
function warnOfFailure(error: unknown): void {
  warn('Work of the clock, such as applying scheduled change requests, failed, and will be tried again', error);
}
