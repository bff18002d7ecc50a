import { invalid } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** More of them would slow down lists, which are answered without pages. */
const listMax = 50_000;

/**
 * Returns the limit of API tokens.
 * @throws Error if `API_TOKENS_LIMIT` is no whole number from 1 to 50000.
 */
export function readApiTokensLimit(environment: Environment = process.env): number {
  return readLimit(environment, 'API_TOKENS_LIMIT', listMax) ?? 2_000;
}

/** Returns the limit of the API tokens that are created within a project: a tenth of the limit of all. */
export function readProjectApiTokensLimit(): number {
  return Math.ceil(readApiTokensLimit() / 10);
}

/**
 * Returns the limit of the features of a project, archived ones included.
 * @throws Error if `PROJECT_FEATURES_LIMIT` is no whole number from 1 to 50000.
 */
export function readProjectFeaturesLimit(environment: Environment = process.env): number {
  return readLimit(environment, 'PROJECT_FEATURES_LIMIT', listMax) ?? 20_000;
}

/**
 * Returns the number of features above which each new feature of a project brings a warning.
 * @throws Error if `PROJECT_FEATURES_WARNING` is no whole number from 1 to 50000.
 */
export function readProjectFeaturesWarning(environment: Environment = process.env): number {
  return readLimit(environment, 'PROJECT_FEATURES_WARNING', listMax) ?? 5_000;
}

/**
 * Returns the limit of requests to an integration within a day. It ends the loop of a receiver that changes flags itself.
 * @throws Error if `INTEGRATION_DAILY_LIMIT` is no whole number from 1 to 10000000.
 */
export function readIntegrationDailyLimit(environment: Environment = process.env): number {
  return readLimit(environment, 'INTEGRATION_DAILY_LIMIT', 10_000_000) ?? 100_000;
}

/** The limits by the environment variables that set them. */
export const limits = {
  API_TOKENS_LIMIT: readApiTokensLimit,
  PROJECT_FEATURES_LIMIT: readProjectFeaturesLimit,
  PROJECT_FEATURES_WARNING: readProjectFeaturesWarning,
  INTEGRATION_DAILY_LIMIT: readIntegrationDailyLimit,
} as const;

/**
 * Requires that one more thing is allowed.
 * @param things the name of the things in errors, in the plural: "tags of one type".
 * @throws ApiError 400 if there are already `max` of them.
 */
export function assertRoom(count: number, max: number, things: string): void {
  if (count >= max) throw invalid(describeLimit(max, things));
}

/** Returns the message for more than `max` things. */
export function describeLimit(max: number, things: string): string {
  return `At most ${max} ${things} are allowed.`;
}

/**
 * Reads a limit from an environment variable; undefined if that is not set, or empty.
 * @throws Error if it is no whole number from 1 to `max`.
 */
export function readLimit(environment: Environment, name: string, max: number): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw new Error(`${name} must be a whole number from 1 to ${max}, not "${text}".`);
  }
  return limit;
}
