/** All sites, where nobody has named some. */
const anyOrigin = '*';

/**
 * The sites whose scripts may have flags evaluated, as `FRONTEND_API_ORIGINS` lists them with commas; all by default.
 * @throws Error when one of them is not `*` or an origin, such as https://shop.example.com.
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

/** Whether a text is an origin, or `*` for all. */
export function isOrigin(text: string): boolean {
  return text === anyOrigin || (!text.includes('*') && URL.parse(text)?.origin === text);
}

/** What `access-control-allow-origin` says to a site; undefined where it may not read the answer. */
export function allowedOrigin(origins: readonly string[], origin: string | undefined): string | undefined {
  if (origins.includes(anyOrigin)) return anyOrigin;
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}
