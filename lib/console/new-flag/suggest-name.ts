/** The characters of a name, in the words of the service. */
export const nameHint = "A-Z, a-z, 0-9 and _.!~*'()-";

/** Returns a valid name that is near a typed one: `new-checkout` for `New checkout?`; undefined if it is valid, or nothing is left. */
export function suggestName(typed: string): string | undefined {
  if (/^[A-Za-z0-9_.!~*'()-]*$/.test(typed)) return undefined;
  const ascii = typed.normalize('NFD').replace(/\p{M}/gu, '');
  const name = ascii
    .replace(/[^A-Za-z0-9_.!~*'()-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 100);
  return /^\.{0,2}$/.test(name) ? undefined : name;
}
