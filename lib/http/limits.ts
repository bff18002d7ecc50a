import type { Declaration } from './declaration.ts';

/** The interface's limit: "by default at most 100 kB". */
const bodyLimitBytesDefault = 102_400;
/** Lambda takes events of 6 MB, and a body grows when it is escaped into one. */
const bodyLimitBytesMax = 4_718_592;

/**
 * Returns the largest body accepted, in bytes: from the operation's own variable, else from `BODY_LIMIT_BYTES`, else
 * the default.
 * @throws Error if a variable is no whole number between 1 and 4718592.
 */
export function bodyLimitBytes(environment: NodeJS.ProcessEnv, ownVariable?: string): number {
  const own = ownVariable === undefined ? undefined : limitIn(environment, ownVariable);
  return own ?? limitIn(environment, 'BODY_LIMIT_BYTES') ?? bodyLimitBytesDefault;
}

/** Returns the largest body that an operation accepts, in bytes. */
export function bodyLimitOf({
  bodyLimitVariable,
  bodyBytesMin = 0,
  bodyBytesMax = Number.POSITIVE_INFINITY,
}: Pick<Declaration, 'bodyLimitVariable' | 'bodyBytesMin' | 'bodyBytesMax'>): number {
  return Math.min(bodyBytesMax, Math.max(bodyBytesMin, bodyLimitBytes(process.env, bodyLimitVariable)));
}

function limitIn(environment: NodeJS.ProcessEnv, variable: string): number | undefined {
  const text = environment[variable];
  if (text === undefined || text === '') return undefined;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > bodyLimitBytesMax) {
    throw new Error(`${variable} must be a whole number from 1 to ${bodyLimitBytesMax}, not "${text}".`);
  }
  return limit;
}
