const longestMs = 300_000;

/** Returns the milliseconds that an answer asks to wait for, in seconds or by a date (RFC 9110, section 10.2.3), within reason. */
export function retryAfterIn({ headers }: Response): number {
  const text = headers.get('retry-after');
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestMs) : 0;
}
