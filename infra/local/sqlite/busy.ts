import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a predicate for errors with one of these codes of SQLite, or with an extended code of one of them. */
const hasCode = (codes: readonly number[]) => (error: unknown) =>
  error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);

/** Returns true for an error that is temporary, since another process has locked the file or was faster. */
export const isBusy = hasCode([5, 15]);

const isDamagedFile = hasCode([11, 26]);
/** The code for a file or log that ends too early. */
const shortRead = 522;

/** Returns true for the error of a file that is damaged, cut off, or not a database. */
export const isDamage = (error: unknown) =>
  isDamagedFile(error) || (error instanceof Error && 'errcode' in error && error.errcode === shortRead);

/**
 * Carries out an action, and repeats it while another process is in its way. The pauses are random, so that two processes do not
 * collide repeatedly. SQLite's own pauses would block the event loop.
 * @throws the error of the action; the error of a locked file only after the maximum wait.
 */
export async function retryWhileBusy<T>(action: () => T, maxWaitMs: number): Promise<T> {
  for (const end = performance.now() + maxWaitMs; ; await sleep(1 + Math.random() * 4)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
  }
}
