import type { ErrorDetail } from '../../errors.ts';

/** Returns the words of a refusal, with the places of what is wrong. */
export function refusalWords({ details }: { readonly details: readonly ErrorDetail[] }): string {
  return details.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)).join(' ');
}
