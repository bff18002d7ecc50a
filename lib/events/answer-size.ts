/** Lambda sends an answer of 6 MB, as text in JSON; what does not fit into one is asked for with `before`. */
const answerBytesMax = 4.5 * 1024 * 1024;

/** What a character of JSON takes of an answer at most: three bytes as it is, or two where it is escaped once more. */
const bytesPerCharacterMax = 3;

/** What JSON takes of an answer, where it stands in JSON once more: each quotation mark as two characters. */
function bytesInAnswer(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}

/** Whether a value fits into an answer. */
export function fitsAnswer(value: unknown): boolean {
  return new AnswerRoom().take(JSON.stringify(value));
}

/** The room in one answer. Bytes are counted only where they might be too many, since counting takes long. */
export class AnswerRoom {
  #bytes = 0;
  /** What the bytes are estimated of; undefined once they are counted. */
  #estimated: string[] | undefined = [];

  /** Takes the JSON of one more thing, and answers whether all of them fit. */
  take(json: string): boolean {
    this.#estimated?.push(json);
    this.#bytes += this.#estimated === undefined ? bytesInAnswer(json) : bytesPerCharacterMax * json.length;
    if (this.#estimated !== undefined && this.#bytes > answerBytesMax) {
      this.#bytes = this.#estimated.reduce((sum, each) => sum + bytesInAnswer(each), 0);
      this.#estimated = undefined;
    }
    return this.#bytes <= answerBytesMax;
  }
}
