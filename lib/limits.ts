import { invalid } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** More of either would make lists slow that are answered whole. */
const highest = 50_000;

/**
 * Returns the limit of API tokens.
 * @throws Error where `API_TOKENS_LIMIT` is no whole number from 1 to 50000.
 */
export function apiTokensLimit(environment: Environment = process.env): number {
  return limitFrom(environment, 'API_TOKENS_LIMIT', highest) ?? 2_000;
}

/** Returns the limit of API tokens for one project alone that are created within it: a tenth of the limit of all. */
export function projectApiTokensMax(): number {
  return Math.ceil(apiTokensLimit() / 10);
}

/**
 * Returns the limit of features of a project, archived ones included.
 * @throws Error where `PROJECT_FEATURES_LIMIT` is no whole number from 1 to 50000.
 */
export function projectFeaturesLimit(environment: Environment = process.env): number {
  return limitFrom(environment, 'PROJECT_FEATURES_LIMIT', highest) ?? 20_000;
}

/**
 * Returns the number of features of a project from which each further one brings a warning.
 * @throws Error where `PROJECT_FEATURES_WARNING` is no whole number from 1 to 50000.
 */
export function projectFeaturesWarning(environment: Environment = process.env): number {
  return limitFrom(environment, 'PROJECT_FEATURES_WARNING', highest) ?? 5_000;
}

/**
 * Returns the limit of requests to one integration within a day. A receiver that changes flags in turn would cause an
 * endless loop.
 * @throws Error where `INTEGRATION_DAILY_LIMIT` is no whole number from 1 to 10000000.
 */
export function integrationDailyLimit(environment: Environment = process.env): number {
  return limitFrom(environment, 'INTEGRATION_DAILY_LIMIT', 10_000_000) ?? 100_000;
}

/** The limits by their variables. */
export const limits = {
  API_TOKENS_LIMIT: apiTokensLimit,
  PROJECT_FEATURES_LIMIT: projectFeaturesLimit,
  PROJECT_FEATURES_WARNING: projectFeaturesWarning,
  INTEGRATION_DAILY_LIMIT: integrationDailyLimit,
} as const;

/**
 * Requires that there is room for one more thing.
 * @param things the things in the plural, as errors name them: "tags of one type".
 * @throws ApiError 400 if there are `max` of them.
 */
export function assertRoom(count: number, max: number, things: string): void {
  if (count >= max) throw invalid(tooMany(max, things));
}

/** Returns the text of the error for more than `max` things. */
export function tooMany(max: number, things: string): string {
  return `At most ${max} ${things} are allowed.`;
}

/**
 * Reads a limit from a variable; undefined if it is not set, or empty.
 * @throws Error if it is no whole number from 1 to `max`.
 */
export function limitFrom(environment: Environment, name: string, max: number): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw new Error(`${name} must be a whole number from 1 to ${max}, not "${text}".`);
  }
  return limit;
}
