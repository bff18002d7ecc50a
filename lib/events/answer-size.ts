/** Lambda sends an answer of 6 MB, as text in JSON; what does not fit into one is asked for with `before`. */
export const answerBytesMax = 4.5 * 1024 * 1024;

/** What text takes of an answer, where it stands in JSON once more: each quotation mark as two characters. */
export function bytesInAnswer(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** What a character of JSON text takes of an answer at most: three bytes as it is, or two where it is escaped once more. */
export const bytesPerCharacterMax = 3;
