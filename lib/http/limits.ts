import { readLimit } from '../limits.ts';
import type { Declaration } from './declaration.ts';

/** The default of Express, and so of Unleash: 100 kB. */
const defaultBodyLimitBytes = 102_400;
/** The default for imports, which have a variable of their own: somewhat more than the 500 kB of Unleash's admin UI. */
const defaultOwnLimitBytes = 524_288;
/** Lambda accepts events of 6 MB, and escaping makes a body in an event longer. */
const maxBodyLimitBytes = 4_718_592;

/**
 * Returns the maximum body size in bytes: from the operation's own variable, or from `BODY_LIMIT_BYTES`, or the default.
 * @throws Error if a variable is not a whole number between 1 and 4718592.
 */
export function bodyLimitBytes(environment: NodeJS.ProcessEnv, ownVariable?: string): number {
  const general = readLimit(environment, 'BODY_LIMIT_BYTES', maxBodyLimitBytes);
  if (ownVariable === undefined) return general ?? defaultBodyLimitBytes;
  return readLimit(environment, ownVariable, maxBodyLimitBytes) ?? general ?? defaultOwnLimitBytes;
}

/** Returns the maximum body size of an operation in bytes. */
export function bodyLimitOf({
  bodyLimitVariable,
  bodyBytesMin = 0,
  bodyBytesMax = Number.POSITIVE_INFINITY,
}: Pick<Declaration, 'bodyLimitVariable' | 'bodyBytesMin' | 'bodyBytesMax'>): number {
  return Math.min(bodyBytesMax, Math.max(bodyBytesMin, bodyLimitBytes(process.env, bodyLimitVariable)));
}
