import { randomInt } from 'node:crypto';
import { UsageError, type Verdict } from '../../infra/commands/command.ts';

/** Options of the proofs that choose at random. */
export const usualOptions = {
  quick: { type: 'boolean', default: false },
  seed: { type: 'string' },
} as const;

/**
 * Returns the number of `--seed`, which makes random choices repeatable, or another one each time.
 * @throws UsageError for anything but a whole number.
 */
export function seedIn({ seed }: { readonly seed?: string | undefined }): number {
  return seed === undefined ? randomInt(1_000_000) : wholeNumberOption('--seed', seed);
}

/**
 * Returns the amount that an option gives; without it a small one with `--quick`, or a large one.
 * @throws UsageError for anything but a whole number.
 */
export function amountOption<Name extends string>(
  values: { readonly quick: boolean } & { readonly [N in Name]?: string | undefined },
  name: Name,
  [quick, whole]: readonly [quick: number, whole: number],
): number {
  const text: string | undefined = values[name];
  if (text !== undefined) return wholeNumberOption(`--${name}`, text);
  return values.quick ? quick : whole;
}

/** Prints the broken promises, and returns the verdict on them. */
export function verdictOn(broken: readonly string[], summary: string): Verdict {
  for (const promise of broken) console.log(`BROKEN: ${promise}`);
  return { passed: broken.length === 0, summary };
}

/** Returns the whole seconds since a time of `performance.now()`, as in `12 s`. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(0)} s`;
}

/** @throws UsageError for anything but a whole number. */
function wholeNumberOption(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}

/**
 * Returns the part of a list that `--part 2/4` names, all of it without the option: every fourth entry from the second
 * on, so that the parts take about equally long and can run side by side.
 * @throws UsageError for anything but a place among so many parts.
 */
export function partIn<Item>({ part }: { readonly part?: string | undefined }, all: readonly Item[]): readonly Item[] {
  if (part === undefined) return all;
  const [, place, parts] = (/^(\d{1,3})\/(\d{1,3})$/.exec(part) ?? []).map(Number);
  if (place === undefined || parts === undefined || place < 1 || place > parts) {
    throw new UsageError(`--part takes a place among the parts, such as 1/2, not "${part}".`);
  }
  return all.filter((_, index) => index % parts === place - 1);
}
