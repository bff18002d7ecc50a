import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 45_000;
const pauseMs = 1_000;

/** Tries again while rights are missing: those that were granted a moment ago take some seconds to hold everywhere. */
export async function retryMissingRights<T>(attempt: () => Promise<T>): Promise<T> {
  const start = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const missing = error instanceof Error && error.name === 'AccessDeniedException';
      if (!missing || Date.now() - start > patienceMs) throw error;
    }
    await sleep(pauseMs);
  }
}
