import { UsageError } from '../../infra/commands/command.ts';

/**
 * Returns the number of `--seed`, which makes random choices repeatable; undefined without the option.
 * @throws UsageError for anything but a whole number.
 */
export function seedIn({ seed }: { readonly seed?: string | undefined }): number | undefined {
  return seed === undefined ? undefined : wholeNumberOption('--seed', seed);
}

/** @throws UsageError for anything but a whole number. */
export function wholeNumberOption(option: string, text: string): number {
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
