/** Origin that stands for all sites, and the default. */
const anyOrigin = '*';

/**
 * Reads the sites whose scripts may have flags evaluated, as `FRONTEND_API_ORIGINS` lists them with commas; all by
 * default.
 * @throws Error if one of them is not `*` or an origin, such as https://shop.example.com or https://*.example.com.
 */
export function frontendOrigins(environment: NodeJS.ProcessEnv): readonly string[] {
  const origins = (environment.FRONTEND_API_ORIGINS || anyOrigin).split(',').map((each) => each.trim());
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      throw new Error(
        `FRONTEND_API_ORIGINS must be * or origins like https://shop.example.com, with commas between them, not "${origin}".`,
      );
    }
  }
  return origins;
}

/** A star for one name, before a domain of two names at least, or before localhost. */
const starred = /^(https?:\/\/)\*(\.(?:localhost|[^.:*]+\.[^:*]+)(?::\d+)?)$/;

/** Tells whether a text is an origin, `*` for all origins, or a pattern such as `https://*.example.com`. */
export function isOrigin(text: string): boolean {
  if (text === anyOrigin) return true;
  const one = text.replace(starred, '$1x$2');
  return !one.includes('*') && URL.parse(one)?.origin === one;
}

/** Tells whether an origin matches a pattern; the star stands for exactly one label. */
function isAmong(origin: string, text: string): boolean {
  const [, before = '', after = ''] = starred.exec(text) ?? [];
  return (
    after !== '' &&
    origin.startsWith(before) &&
    origin.endsWith(after) &&
    /^[a-z0-9_-]+$/.test(origin.slice(before.length, -after.length))
  );
}

/** Returns the value of `access-control-allow-origin` for an origin; undefined if it may not read the answer. */
export function findAllowedOrigin(origins: readonly string[], origin: string | undefined): string | undefined {
  if (origins.includes(anyOrigin)) return anyOrigin;
  if (origin === undefined) return undefined;
  return origins.some((each) => each === origin || isAmong(origin, each)) ? origin : undefined;
}
