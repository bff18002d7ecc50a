import { Script } from 'node:vm';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import type { FeatureNamingInput } from './project-schema.ts';
import type { FeatureNaming } from './projects.ts';

/**
 * Milliseconds of processor time. Some patterns take exponential time on some names, and anybody with the right may set
 * one.
 */
const patienceMs = 200;

const matching = new Script(`
  const whole = new RegExp('^(?:' + new RegExp(pattern).source + ')$');
  names.filter((name) => !whole.test(name)).join();
`);

/**
 * Returns the names that a pattern does not match as a whole.
 * @param names without commas.
 * @throws ApiError 400 for a pattern that is no regular expression, or takes too long.
 */
function mismatches(pattern: string, names: readonly string[]): string[] {
  const problem = (words: string) => invalid(`The naming pattern "${pattern}" ${words}.`, 'featureNaming.pattern');
  const start = process.threadCpuUsage();
  for (;;) {
    try {
      // An object that was used before would be the same context, where `whole` is declared already.
      const given = { pattern, names };
      const found: string = matching.runInNewContext(given, { timeout: patienceMs });
      return found === '' ? [] : found.split(',');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw problem('is no regular expression');
      // The timeout is wall time: on a busy machine the pattern may hardly have run.
      if (process.threadCpuUsage(start).user / 1_000 >= patienceMs / 2) throw problem('takes too long to match');
    }
  }
}

/**
 * Returns the pattern for the names of new features; null for no restriction, where no pattern is given.
 * @throws ApiError 400 with every problem: an invalid pattern or one with spaces, an example that does not match.
 */
export function featureNamingOf({ pattern, example, description }: FeatureNamingInput): FeatureNaming | null {
  if (!pattern) return null;
  const problems: ErrorDetail[] = [];
  const refuse = (property: keyof FeatureNaming, message: string) =>
    problems.push({ message, path: `featureNaming.${property}` });
  if (/ |\\[tsnrfv]/.test(pattern)) refuse('pattern', 'The name of a feature has no spaces, so its pattern has none.');
  else if (example && mismatches(pattern, [example.replaceAll(',', ' ')]).length > 0) {
    refuse('example', `"${example}" does not match the pattern "${pattern}".`);
  } else mismatches(pattern, []);
  if (problems.length > 0) throw invalidRequest(problems);
  return { pattern, example: example || null, description: description || null };
}

/** Lists the names that features of a project cannot have, each with the reason. */
export function misnamed(naming: FeatureNaming | null, names: readonly string[]): ReadonlyMap<string, string> {
  if (naming === null || names.length === 0) return new Map();
  const { pattern, example, description } = naming;
  const explained = [
    `match the naming pattern "${pattern}" of the project`,
    ...(example === null ? [] : [`as "${example}" does`]),
    ...(description === null ? [] : [`(${description})`]),
  ].join(' ');
  return new Map(mismatches(pattern, names).map((name) => [name, `The name "${name}" has to ${explained}.`]));
}
