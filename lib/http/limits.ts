import { limitFrom } from '../limits.ts';
import type { Declaration } from './declaration.ts';

/** Unleash's defaults: 100 kB, and for imports the 500 kB that its admin UI says, here in full kibibytes. */
const bodyLimitBytesDefault = { BODY_LIMIT_BYTES: 102_400, IMPORT_BODY_LIMIT_BYTES: 524_288 } as const;
type LimitVariable = keyof typeof bodyLimitBytesDefault;
/** Lambda takes events of 6 MB, and a body grows when it is escaped into one. */
const bodyLimitBytesMax = 4_718_592;

/**
 * Returns the largest body accepted, in bytes: from the operation's own variable, else from `BODY_LIMIT_BYTES`, else
 * the default of that variable.
 * @throws Error if a variable is no whole number between 1 and 4718592.
 */
export function bodyLimitBytes(environment: NodeJS.ProcessEnv, variable: LimitVariable = 'BODY_LIMIT_BYTES'): number {
  const [own, general] = [variable, 'BODY_LIMIT_BYTES'].map((name) => limitFrom(environment, name, bodyLimitBytesMax));
  return own ?? general ?? bodyLimitBytesDefault[variable];
}

/** Returns the largest body that an operation accepts, in bytes. */
export function bodyLimitOf({
  bodyLimitVariable,
  bodyBytesMin = 0,
  bodyBytesMax = Number.POSITIVE_INFINITY,
}: Pick<Declaration, 'bodyLimitVariable' | 'bodyBytesMin' | 'bodyBytesMax'>): number {
  return Math.min(bodyBytesMax, Math.max(bodyBytesMin, bodyLimitBytes(process.env, bodyLimitVariable)));
}
