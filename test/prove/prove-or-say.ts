import { secondsSince } from './options.ts';
import type { Promises } from './promises.ts';
import { NotHere } from './sdks/tools.ts';

/**
 * Runs a part of a proof, and prints what came of it.
 * @returns its promises; undefined if this machine lacks something for it, which is printed, too.
 */
export async function proveOrSay(title: string, prove: () => Promise<Promises>): Promise<Promises | undefined> {
  const start = performance.now();
  try {
    const promises = await prove();
    console.log(`${title}: ${promises.count} promises, ${promises.broken.length} broken, in ${secondsSince(start)}`);
    return promises;
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    console.log(`${title}: not run, ${error.message}`);
    return undefined;
  }
}
