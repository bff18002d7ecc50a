/** Returns the first characters of a text. It keeps no half of a character, such as an emoji, which no store takes. */
export function shortenText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, '');
}
