type Environment = Readonly<Record<string, string | undefined>>;

/** More of either would make lists slow that are answered whole. */
const highest = 50_000;

/**
 * Returns the limit of API tokens.
 * @throws Error where `API_TOKENS_LIMIT` is no whole number from 1 to 50000.
 */
export function apiTokensLimit(environment: Environment = process.env): number {
  return limitIn(environment, 'API_TOKENS_LIMIT', 2_000);
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
  return limitIn(environment, 'PROJECT_FEATURES_LIMIT', 20_000);
}

/**
 * Returns the number of features of a project from which each further one brings a warning.
 * @throws Error where `PROJECT_FEATURES_WARNING` is no whole number from 1 to 50000.
 */
export function projectFeaturesWarning(environment: Environment = process.env): number {
  return limitIn(environment, 'PROJECT_FEATURES_WARNING', 5_000);
}

/** The limits by their variables. */
export const limits = {
  API_TOKENS_LIMIT: apiTokensLimit,
  PROJECT_FEATURES_LIMIT: projectFeaturesLimit,
  PROJECT_FEATURES_WARNING: projectFeaturesWarning,
} as const;

export type LimitName = keyof typeof limits;

function limitIn(environment: Environment, name: string, byDefault: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return byDefault;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > highest) {
    throw new Error(`${name} must be a whole number from 1 to ${highest}, not "${text}".`);
  }
  return limit;
}
