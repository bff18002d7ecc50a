/** How many there may be, or how many bring a warning, unless an environment variable says otherwise. */
const defaults = { API_TOKENS_LIMIT: 2_000, PROJECT_FEATURES_LIMIT: 20_000, PROJECT_FEATURES_WARNING: 5_000 };

export type LimitName = keyof typeof defaults;

export const limitNames = Object.keys(defaults) as LimitName[];

/** More of either would make lists slow that are answered whole. */
const highest = 50_000;

/**
 * How many API tokens there may be, or features in a project, archived ones included; or how many features of a project
 * bring a warning.
 * @throws Error where the variable is no whole number from 1 to 50000.
 */
export function limitOf(
  name: LimitName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): number {
  const text = environment[name];
  if (text === undefined || text === '') return defaults[name];
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > highest) {
    throw new Error(`${name} must be a whole number from 1 to ${highest}, not "${text}".`);
  }
  return limit;
}
