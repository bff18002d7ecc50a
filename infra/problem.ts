import type { ApiError } from '../lib/errors.ts';

/** An error for the person who runs a command. Each line of its message names one problem. */
export class Problem extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** Returns the errors in a file as a Problem, each with its path in the file. */
export function problemsIn(file: string, { details }: ApiError): Problem {
  return new Problem(
    ...details.map(({ path, message }) => `${file}: ${path === undefined ? '' : `${path}: `}${message}`),
  );
}

/** Returns the message of an error, with that of its cause: the store's client puts the actual error there. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The client adds hints for programmers in further lines.
  const [line] = error.message.split('\n', 1);
  const message = line || ('code' in error ? String(error.code) : error.name);
  return error.cause === undefined ? message : `${message} (${describeError(error.cause)})`;
}
