import { setTimeout as sleep } from 'node:timers/promises';
import { RehearsalProblem } from './processes.ts';

/** Runs a step, and prints its result and duration. `note` adds a remark about the outcome. */
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

/** Waits until a condition is met. @throws RehearsalProblem if that takes longer than `withinMs`. */
export async function waitUntil(condition: string, withinMs: number, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isMet())) {
    if (Date.now() > deadline) throw new RehearsalProblem(`Not within ${withinMs / 1000} s: ${condition}.`);
    await sleep(pauseMs);
  }
}
