import type { ApiError } from '../lib/errors.ts';

/** An error for the person who asked for something that cannot be done: each line of its message names one problem. */
export class Problem extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** Returns the problems of a file, each with its place in it. */
export function problemsIn(file: string, { details }: ApiError): Problem {
  return new Problem(
    ...details.map(({ path, message }) => `${file}: ${path === undefined ? '' : `${path}: `}${message}`),
  );
}

/** The words of anything that was thrown, with the cause that the store's client keeps behind its own words. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The client's own hints to programmers follow on lines of their own.
  const [line] = error.message.split('\n', 1);
  const words = line || ('code' in error ? String(error.code) : error.name);
  return error.cause === undefined ? words : `${words} (${wordsOf(error.cause)})`;
}
