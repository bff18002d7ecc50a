import { UsageError } from '../../infra/commands/command.ts';

/**
 * The number that `--seed` names, which makes what is random come again; undefined without the option.
 * @throws UsageError for anything but a whole number.
 */
export function seedIn({ seed }: { readonly seed?: string | undefined }): number | undefined {
  return seed === undefined ? undefined : wholeNumber('--seed', seed);
}

/** @throws UsageError for anything but a whole number. */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}
