import { readLimit } from '../limits.ts';
import type { Declaration } from './declaration.ts';

/** Default of Express, and so of Unleash: 100 kB. */
const bodyLimitBytesDefault = 102_400;
/** Default of operations with a variable of their own, which are those of imports: the 500 kB of Unleash's admin UI, and some. */
const ownLimitBytesDefault = 524_288;
/** Lambda takes events of 6 MB, and a body grows when it is escaped into one. */
const bodyLimitBytesMax = 4_718_592;

/**
 * Returns the largest body accepted, in bytes: from the operation's own variable, else from `BODY_LIMIT_BYTES`, else
 * a default.
 * @throws Error if a variable is no whole number between 1 and 4718592.
 */
export function bodyLimitBytes(environment: NodeJS.ProcessEnv, ownVariable?: string): number {
  const general = readLimit(environment, 'BODY_LIMIT_BYTES', bodyLimitBytesMax);
  if (ownVariable === undefined) return general ?? bodyLimitBytesDefault;
  return readLimit(environment, ownVariable, bodyLimitBytesMax) ?? general ?? ownLimitBytesDefault;
}

/** Returns the largest body that an operation accepts, in bytes. */
export function bodyLimitOf({
  bodyLimitVariable,
  bodyBytesMin = 0,
  bodyBytesMax = Number.POSITIVE_INFINITY,
}: Pick<Declaration, 'bodyLimitVariable' | 'bodyBytesMin' | 'bodyBytesMax'>): number {
  return Math.min(bodyBytesMax, Math.max(bodyBytesMin, bodyLimitBytes(process.env, bodyLimitVariable)));
}
