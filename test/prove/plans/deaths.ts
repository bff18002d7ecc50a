import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../../lib/request.ts';
import { interceptAttempts } from '../../harness/intercept.ts';
import type { Step } from './steps.ts';

/** The call to the store at which somebody dies, from 1 on, and whether they die before or after it is carried out. */
export interface StepDeath {
  readonly call: number;
  readonly moment: 'before' | 'after';
}

/** Somebody who takes a step. Each of them stands for a process of its own. */
export interface StepTaker {
  readonly step: Step;
  readonly death: StepDeath | undefined;
  /** The time in milliseconds at which they began. */
  readonly beganAt: number;
  /** The calls to the store so far. */
  calls: number;
  /** The call at which they died. */
  diedAt?: string;
}

/** The message of the error with which a call of a dead actor fails. */
export const deathMessage = 'This process is dead.';

const actors = new AsyncLocalStorage<StepTaker>();

/** Takes a step as somebody. */
export function actAs<T>(actor: StepTaker, act: () => Promise<T>): Promise<T> {
  return actors.run(actor, act);
}

/** The milliseconds that somebody waits after each read, for each step by which they are late. */
const lateMs = 3;

/**
 * Lets actors die at their calls to a table. Later calls of a dead actor fail, and do not reach the store.
 * @param seeTransaction called with each transaction that was carried out, and its actor.
 */
export function letActorsDie(
  table: Request,
  // biome-ignore lint/suspicious/noExplicitAny: the input of a transaction.
  seeTransaction: (input: any, actor: StepTaker) => void,
): Disposable {
  return interceptAttempts(table, async ({ operation, input }, next) => {
    const actor = actors.getStore();
    if (actor === undefined) return next();
    if (actor.diedAt !== undefined) throw isDead();
    actor.calls += 1;
    const dies = actor.calls === actor.death?.call ? actor.death.moment : undefined;
    const die = (moment: string) => {
      actor.diedAt = `${actor.step.does}: ${moment} ${operation}`;
      return isDead();
    };
    if (dies === 'before') throw die('before');
    const output = await next();
    if (operation === 'TransactWriteItems') seeTransaction(input, actor);
    else if (actor.step.late > 0) await sleep(actor.step.late * lateMs);
    if (dies === 'after') throw die('after');
    return output;
  });
}

const isDead = () => new Error(deathMessage);
