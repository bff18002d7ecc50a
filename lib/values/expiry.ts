/** Returns the second at which something expires, as the store takes it, so many seconds after a time. */
export function expirySecond(seconds: number, from: number | Date = Date.now()): number {
  return Math.floor(Number(from) / 1_000) + seconds;
}

/** Tells whether an item has not expired: the store removes expired ones only after a while. */
export function isAlive({
  expiresAtSeconds = Number.POSITIVE_INFINITY,
}: {
  readonly expiresAtSeconds?: number;
}): boolean {
  return expiresAtSeconds > Date.now() / 1_000;
}
