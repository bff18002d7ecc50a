import { setTimeout as sleep } from 'node:timers/promises';
import { RehearsalProblem } from './problem.ts';

/** Does one thing, and prints how it went and how long it took; `note` adds a word about the outcome. */
export async function step<T>(title: string, work: () => Promise<T>, note?: (outcome: T) => string): Promise<T> {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(7);
  try {
    const outcome = await work();
    console.log(`ok   ${seconds()}  ${title}${note === undefined ? '' : `: ${note(outcome)}`}`);
    return outcome;
  } catch (error) {
    console.log(`FAIL ${seconds()}  ${title}`);
    throw error;
  }
}

const pauseMs = 500;

/** @throws RehearsalProblem for what does not hold within a time. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new RehearsalProblem(`It does not happen within ${withinMs / 1000} s: ${what}.`);
    await sleep(pauseMs);
  }
}
