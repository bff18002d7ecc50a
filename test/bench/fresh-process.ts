import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program that is run over and over, each time in a process that knows nothing of the time before. */
export interface Program {
  readonly name: string;
  /** Node's flags and the text of the program. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a program once.
 * @returns the milliseconds from asking for the process to its end.
 * @throws Error with what the program said, when it ends with anything but 0.
 */
function timeOf({ name, args, environment }: Program): number {
  const start = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: root, env: environment });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`"${name}" ended with ${status}: ${stderr}${stdout}`);
  return milliseconds;
}

/** Times programs in turn, so that other work of the machine affects all of them alike. */
export function timesInTurn(programs: readonly Program[], rounds: number): number[][] {
  for (const program of programs) timeOf(program);
  const times = programs.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    programs.forEach((program, index) => void times[index]?.push(timeOf(program)));
  }
  return times;
}

/** Returns the median of some numbers. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
