import { createHash } from 'node:crypto';

/** Shorter texts are found by chance in what is no copy of them. */
const lengthMin = 8;

/** Most characters of a line that are shown. */
const shownMax = 300;

/** Pattern of a token. */
const tokenLike = /\*:\*\.[!-~]|\buser:[\da-f]{8}|\bBearer\b/i;

/** Parts that differ from line to line and can hold nothing else, so that thousands of lines become a few. */
const varying =
  /"(timestamp|requestId)":"(\d{4}-\d\d-\d\dT[\d:.]{12}Z|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})"|"(Timestamp|durationMs|latencyMs|userId|(consumed|store)\w+)":-?[\d.]+/g;

/** Holds the lines of a log against what was sent, none of which may be in them. */
export class LogWatch {
  readonly #secrets = new Set<string>();
  readonly #tokens = new Set<string>();
  readonly #lines = new Set<string>();
  readonly #harmless = new Set<string>();

  /** Takes an authorization header: neither its token nor its hash may be written. */
  keepToken(header: string): void {
    const token = header.replace(/^(Bearer +|HMAC [^:]*:)/i, '');
    // Hundreds of requests carry the same one.
    if (this.#tokens.has(token)) return;
    this.#tokens.add(token);
    this.keepTexts([token, createHash('sha256').update(token).digest('hex')]);
  }

  /** Takes every text in a value: the members of an object, the items of a list, or a text itself. */
  keepTexts(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length >= lengthMin) this.#secrets.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) this.keepTexts(member);
    }
  }

  /** Takes a text that may be written even if a part of it was sent as well: a route. */
  allow(text: string): void {
    this.#harmless.add(text);
  }

  /** Takes written text, whole lines of it. */
  read(text: string): void {
    for (const line of text.split('\n')) this.#lines.add(line.replace(varying, ''));
  }

  /** Forgets the secrets sent and the lines written so far, but not the texts that may be written. */
  reset(): void {
    this.#secrets.clear();
    this.#tokens.clear();
    this.#lines.clear();
  }

  /** The lines that contain something that was sent, each with that. */
  leaks(): string[] {
    const beginnings = new Map<string, Set<string>>();
    for (const line of this.#lines) {
      for (let start = 0; start + lengthMin <= line.length; start += 1) {
        const beginning = line.slice(start, start + lengthMin);
        const lines = beginnings.get(beginning) ?? new Set();
        beginnings.set(beginning, lines.add(line));
      }
    }
    const harmless = [...this.#harmless].join('\n');
    const sent = [...this.#secrets].flatMap((secret) => {
      if (harmless.includes(secret)) return [];
      // Some are megabytes long, and few begin like anything that was written.
      const beginning = escaped(secret.slice(0, 2 * lengthMin)).slice(0, lengthMin);
      const lines = [...(beginnings.get(beginning) ?? [])];
      if (lines.length === 0) return [];
      const written = escaped(secret);
      return lines.filter((line) => line.includes(written)).map((line) => `"${cut(secret)}" in ${cut(line)}`);
    });
    const alike = [...this.#lines].filter((line) => tokenLike.test(line)).map((line) => `a token in ${cut(line)}`);
    return [...sent, ...alike];
  }
}

/** A text as it is written within a line of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function cut(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

/** The watch over all that the tests of one file write and send. */
export const logWatch = new LogWatch();
