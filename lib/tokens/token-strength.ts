/** Fewer, and a machine that tries all of them comes to an end. */
const bitsMin = 128;
/** A text of a few characters over and over is no secret, however long it is. */
const distinctMin = 8;
/** Nor is a word over and over. */
const repeated = /(.{6}).*\1.*\1/;

/** Kinds of characters, and how many there are of each. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^0-9a-zA-Z]/, 32],
];

/**
 * Tells whether a secret could have 128 random bits: by its length and the kinds of its characters, of which
 * hexadecimal digits are one. Nothing shows whether it was drawn at random.
 */
export function isLongEnough(secret: string): boolean {
  const isHexadecimal = /^([0-9a-f]+|[0-9A-F]+)$/.test(secret);
  const characters = kinds.reduce((sum, [kind, count]) => (kind.test(secret) ? sum + count : sum), 0);
  const bits = secret.length * Math.log2(isHexadecimal ? 16 : characters);
  return bits >= bitsMin && new Set(secret).size >= distinctMin && !repeated.test(secret);
}
