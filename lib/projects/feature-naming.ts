import { Script } from 'node:vm';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import type { FeatureNamingInput } from './project-schema.ts';
import type { FeatureNaming } from './projects.ts';

/** The most processor time of a match. Some patterns take exponential time. */
const matchMs = 200;

const findMismatchesScript = new Script(`
  const whole = new RegExp('^(?:' + new RegExp(pattern).source + ')$');
  names.filter((name) => !whole.test(name)).join();
`);

/**
 * Finds the names that a pattern does not match as a whole.
 * @param names must not contain commas.
 * @throws ApiError 400 for a pattern that is no regular expression, or takes too long.
 */
function findMismatches(pattern: string, names: readonly string[]): string[] {
  const patternError = (reason: string) =>
    invalid(`The naming pattern "${pattern}" ${reason}.`, 'featureNaming.pattern');
  const start = process.threadCpuUsage();
  for (;;) {
    try {
      // The same object again would be the same context, in which `whole` is already declared.
      const mismatches: string = findMismatchesScript.runInNewContext({ pattern, names }, { timeout: matchMs });
      return mismatches === '' ? [] : mismatches.split(',');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw patternError('is no regular expression');
      // The timeout is wall time. On a busy machine, the pattern may hardly have run, so try again.
      if (process.threadCpuUsage(start).user / 1_000 >= matchMs / 2) throw patternError('takes too long to match');
    }
  }
}

/**
 * Validates the pattern for the names of new features; null without a pattern.
 * @throws ApiError 400 with every problem: an invalid pattern, one with spaces, an example that does not match.
 */
export function parseFeatureNaming({ pattern, example, description }: FeatureNamingInput): FeatureNaming | null {
  if (!pattern) return null;
  const problems: ErrorDetail[] = [];
  const refuse = (property: keyof FeatureNaming, message: string) =>
    problems.push({ message, path: `featureNaming.${property}` });
  if (/ |\\[tsnrfv]/.test(pattern)) refuse('pattern', 'The name of a feature has no spaces, so its pattern has none.');
  else if (example && findMismatches(pattern, [example.replaceAll(',', ' ')]).length > 0) {
    refuse('example', `"${example}" does not match the pattern "${pattern}".`);
  } else findMismatches(pattern, []);
  if (problems.length > 0) throw invalidRequest(problems);
  return { pattern, example: example || null, description: description || null };
}

/** Finds the names that features of a project cannot have, each with the reason. */
export function findMisnamed(naming: FeatureNaming | null, names: readonly string[]): ReadonlyMap<string, string> {
  if (naming === null || names.length === 0) return new Map();
  const { pattern, example, description } = naming;
  const rule = [
    `match the naming pattern "${pattern}" of the project`,
    ...(example === null ? [] : [`as "${example}" does`]),
    ...(description === null ? [] : [`(${description})`]),
  ].join(' ');
  return new Map(findMismatches(pattern, names).map((name) => [name, `The name "${name}" has to ${rule}.`]));
}
