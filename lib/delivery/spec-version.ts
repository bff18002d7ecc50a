/** The first version of the client specification with segments. */
const segmentsSince = [4, 2] as const;

/** Tells by its `Unleash-Client-Spec` header whether an SDK knows segments. Without a valid version it does not. */
export function knowsSegments(clientSpec: string | undefined): boolean {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\.\d/.exec(clientSpec ?? '') ?? [];
  if (major === undefined) return false;
  const [sinceMajor, sinceMinor] = segmentsSince;
  return Number(major) > sinceMajor || (Number(major) === sinceMajor && Number(minor) >= sinceMinor);
}
