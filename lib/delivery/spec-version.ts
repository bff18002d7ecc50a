/** Since this version of their specification SDKs know segments. */
const segmentsSince = [4, 2] as const;

/**
 * Tells whether an SDK knows segments by their ids, by its `Unleash-Client-Spec`. One that sends none, or no version,
 * is taken for an old one.
 */
export function knowsSegments(clientSpec: string | undefined): boolean {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\.\d/.exec(clientSpec ?? '') ?? [];
  if (major === undefined) return false;
  const [sinceMajor, sinceMinor] = segmentsSince;
  return Number(major) > sinceMajor || (Number(major) === sinceMajor && Number(minor) >= sinceMinor);
}
