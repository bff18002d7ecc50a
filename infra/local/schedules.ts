import { type Activity, carryOut } from '../../lib/activities.ts';
import { clockWork } from '../../lib/change-requests/schedules/clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { warn } from './warn.ts';

/** The background work that applies scheduled change requests and sends mails while the server runs. */
export interface LocalSchedules {
  /** Starts no further work, and waits for running work. */
  close(): Promise<void>;
}

/** The time between two checks, and so the maximum delay. */
const pollMs = 5_000;

const round: Activity = { kind: 'background work', name: 'schedules' };

/** Applies scheduled change requests when they are due, or at once if they became due while no server ran, and sends mails. */
export function startSchedules(): LocalSchedules {
  const running = new Map<unknown, Promise<void>>();
  const poll = () => {
    // Each kind of work runs on its own, so that schedules do not wait for mails.
    for (const work of clockWork.filter((kind) => !running.has(kind))) {
      const done = carryOut(round, () => work(createEnvironmentRequest(), new Date())).catch(warnOfFailure);
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
      clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

/** The next poll tries again, for example when the store can be reached again. */
function warnOfFailure(error: unknown): void {
  warn('Applying scheduled change requests or sending mails failed, and will be tried again', error);
}
