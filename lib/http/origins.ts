/** Origin that stands for all sites, and the default. */
const anyOrigin = '*';

/**
 * Reads the origins whose scripts may have flags evaluated, from `FRONTEND_API_ORIGINS`, separated by commas; `*` by default.
 * @throws Error if one is not `*` or an origin, such as https://shop.example.com or https://*.example.com.
 */
export function frontendOrigins(environment: NodeJS.ProcessEnv): readonly string[] {
  const origins = (environment.FRONTEND_API_ORIGINS || anyOrigin).split(',').map((part) => part.trim());
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      throw new Error(
        `FRONTEND_API_ORIGINS must be * or origins such as https://shop.example.com, separated by commas, not "${origin}".`,
      );
    }
  }
  return origins;
}

/** A star for one label, before a domain with at least two labels, or before localhost. */
const starred = /^(https?:\/\/)\*(\.(?:localhost|[^.:*]+\.[^:*]+)(?::\d+)?)$/;

/** Returns true for an origin, `*` for all origins, or a pattern such as `https://*.example.com`. */
export function isOrigin(text: string): boolean {
  if (text === anyOrigin) return true;
  const example = text.replace(starred, '$1x$2');
  return !example.includes('*') && URL.parse(example)?.origin === example;
}

/** Returns true if an origin matches a pattern. The star matches exactly one label. */
function matchesPattern(origin: string, pattern: string): boolean {
  const [, before = '', after = ''] = starred.exec(pattern) ?? [];
  return (
    after !== '' &&
    origin.startsWith(before) &&
    origin.endsWith(after) &&
    /^[a-z0-9_-]+$/.test(origin.slice(before.length, -after.length))
  );
}

/** Returns the value of `access-control-allow-origin` for an origin; undefined if it may not read the reply. */
export function findAllowedOrigin(origins: readonly string[], origin: string | undefined): string | undefined {
  if (origins.includes(anyOrigin)) return anyOrigin;
  if (origin === undefined) return undefined;
  return origins.some((allowed) => allowed === origin || matchesPattern(origin, allowed)) ? origin : undefined;
}
