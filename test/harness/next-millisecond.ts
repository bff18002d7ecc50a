import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the clock shows a later millisecond, and returns that time: all that is stored already is older. */
export async function nextMillisecond(): Promise<string> {
  const before = Date.now();
  while (Date.now() === before) await sleep(1);
  return new Date().toISOString();
}
