import { setTimeout as sleep } from 'node:timers/promises';

const maxMs = 45_000;
const pauseMs = 1_000;

/** Retries for up to 45 seconds while rights are missing: new IAM rights take some seconds to apply everywhere. */
export async function retryMissingRights<T>(attempt: () => Promise<T>): Promise<T> {
  const start = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isDenied = error instanceof Error && error.name === 'AccessDeniedException';
      if (!isDenied || Date.now() - start > maxMs) throw error;
    }
    await sleep(pauseMs);
  }
}
