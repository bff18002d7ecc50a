import type { ErrorDetail } from '../errors.ts';
import type { SeedFile } from './seed-file.ts';

/** The place in its file of each entry that is left, where entries had to be left out; by member. */
export type Places = Readonly<Partial<Record<keyof SeedFile, readonly number[]>>>;

/** What is known of a seed file before it meets a store. */
export interface Findings {
  readonly problems: readonly ErrorDetail[];
  readonly places: Places;
}

/** Of a seed that is right in itself. */
export const nothingFound: Findings = { problems: [], places: {} };

/** A problem of what is left of a file, named by its place in the whole of it. */
export function placedInFile({ message, path = '' }: ErrorDetail, places: Places): ErrorDetail {
  const [member = '', index, ...rest] = path.split('.');
  const place = places[member as keyof SeedFile]?.[Number(index)] ?? index;
  return { message, path: [member, place, ...rest].join('.') };
}
