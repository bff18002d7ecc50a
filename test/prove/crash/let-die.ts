import { once } from 'node:events';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { interceptAttempts } from '../../harness/intercept.ts';
import { type Death, type Job, ordinalOf, type Word } from './protocol.ts';

/**
 * Lets death come to this process, or to its store, at one of the calls to the store.
 * @returns the calls as they go out, further attempts included.
 */
export function letDie({ death, storeForgets }: Job, say: (word: Word) => void): string[] {
  const calls: string[] = [];
  // A store that knows a transaction does not carry it out again under the same token, but answers what it did before.
  const lostAnswers = new Map<string, unknown>();

  interceptAttempts(createEnvironmentRequest(), async ({ operation, input }, next) => {
    const { ClientRequestToken: token = '' } = input as { ClientRequestToken?: string };
    calls.push(operation);
    const isFatal = death !== undefined && calls.at(-1) === death.call && ordinalOf(calls) === death.place;
    if (lostAnswers.has(token)) return lostAnswers.get(token);
    if (!isFatal) return next();
    if (death.moment === 'before') {
      await die(death, say);
      return next();
    }
    const answer = await next().catch(async (error) => {
      // One that another transaction was in the way of would be sent again.
      await die(death, say);
      throw error;
    });
    await die(death, say);
    if (token !== '' && !storeForgets) lostAnswers.set(token, answer);
    // The error of a connection whose other end is gone.
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });
  return calls;
}

async function die({ victim }: Death, say: (word: Word) => void): Promise<void> {
  if (victim === 'process') process.kill(process.pid, 'SIGKILL');
  say({ is: 'store must die' });
  await once(process, 'message');
}
