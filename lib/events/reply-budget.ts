/**
 * The most bytes of content in one reply. The response of a Lambda function is JSON of at most 6 MB, with the body as a string in
 * it. This leaves space for headers, and for properties that endpoints add to each thing.
 */
const replyBytesMax = 4.5 * 1024 * 1024;

/** The most bytes per character: three in UTF-8, or two if the string is escaped again. */
const bytesPerCharacterMax = 3;

/** Counts the bytes of JSON as a string inside JSON, where each quotation mark takes two. */
function bytesInReply(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}

/** Tells whether a value fits into one reply. */
export function fitsReply(value: unknown): boolean {
  return new ReplyBudget().take(JSON.stringify(value));
}

/** The space that is left in a reply. Sizes are estimated first, and counted only near the limit, since counting is slow. */
export class ReplyBudget {
  #bytes = 0;
  /** The texts whose sizes are estimated; undefined once sizes are counted. */
  #estimated: string[] | undefined = [];

  /** Adds the JSON of a thing. @returns false if the reply would be too large with it. */
  take(json: string): boolean {
    this.#estimated?.push(json);
    this.#bytes += this.#estimated === undefined ? bytesInReply(json) : bytesPerCharacterMax * json.length;
    if (this.#estimated !== undefined && this.#bytes > replyBytesMax) {
      this.#bytes = this.#estimated.reduce((sum, text) => sum + bytesInReply(text), 0);
      this.#estimated = undefined;
    }
    return this.#bytes <= replyBytesMax;
  }
}
