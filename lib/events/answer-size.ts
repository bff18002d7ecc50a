/**
 * Lambda sends at most 6 MB, with the body as text in JSON. This leaves room for headers, and for what endpoints add to
 * each thing.
 */
const roomBytes = 4.5 * 1024 * 1024;

/** Limit of bytes that a character of JSON takes in a reply: three as it is, two where it is escaped once more. */
const bytesPerCharacterMax = 3;

/** Counts the bytes of JSON inside a reply, which is JSON itself: each quotation mark takes two characters. */
function bytesInAnswer(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}

/** Tells whether a value fits into a reply. */
export function fitsAnswer(value: unknown): boolean {
  return new AnswerRoom().take(JSON.stringify(value));
}

/** Room in one reply. Bytes are counted only where they might be too many, since counting takes long. */
export class AnswerRoom {
  #bytes = 0;
  /** The texts of which the bytes are only estimated; undefined once they have been counted. */
  #estimated: string[] | undefined = [];

  /** Adds the JSON of one more thing, and tells whether all of them fit. */
  take(json: string): boolean {
    this.#estimated?.push(json);
    this.#bytes += this.#estimated === undefined ? bytesInAnswer(json) : bytesPerCharacterMax * json.length;
    if (this.#estimated !== undefined && this.#bytes > roomBytes) {
      this.#bytes = this.#estimated.reduce((sum, each) => sum + bytesInAnswer(each), 0);
      this.#estimated = undefined;
    }
    return this.#bytes <= roomBytes;
  }
}
