import { setTimeout as sleep } from 'node:timers/promises';

/** Makes a test for errors with one of these codes of SQLite, or an extended form of one. */
const isOneOf = (codes: readonly number[]) => (error: unknown) =>
  error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);

/** Tells whether an error says that another process is in the way for now, by a lock of the file or a race for it. */
export const isBusy = isOneOf([5, 15]);

const isDamagedFile = isOneOf([11, 26]);
/** The code for a file, or its log, that ends before something that must be in it. */
const shortRead = 522;

/** Tells whether an error says that a file is damaged, cut off, or no database. */
export const isDamage = (error: unknown) =>
  isDamagedFile(error) || (error instanceof Error && 'errcode' in error && error.errcode === shortRead);

/**
 * Carries out an action once no other process is in its way. The pauses differ, so that two processes do not meet again and
 * again; SQLite's own would block the event loop.
 * @throws the error of the action, that of being busy when it lasts for longer than the patience.
 */
export async function whenFree<T>(action: () => T, patienceMs: number): Promise<T> {
  for (const end = performance.now() + patienceMs; ; await sleep(1 + Math.random() * 4)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
  }
}
