/** The least number of random bits: a machine could try all secrets with fewer. */
const bitsMin = 128;
/** A text of a few different characters is no random secret. */
const distinctMin = 8;
/** Nor is a repeated word. */
const repeatedWord = /(.{6}).*\1.*\1/;

/** Kinds of characters, and their numbers. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^0-9a-zA-Z]/, 32],
];

/** Tells whether a secret could have 128 random bits, by its length and kinds of characters. It may still be guessable. */
export function isStrongSecret(secret: string): boolean {
  const isHexadecimal = /^([0-9a-f]+|[0-9A-F]+)$/.test(secret);
  const characters = kinds.reduce((sum, [kind, count]) => (kind.test(secret) ? sum + count : sum), 0);
  const bits = secret.length * Math.log2(isHexadecimal ? 16 : characters);
  return bits >= bitsMin && new Set(secret).size >= distinctMin && !repeatedWord.test(secret);
}
