import { styleText } from 'node:util';
import type { AnsweredRequest } from '../../lib/http/local/local-server.ts';
import { hideTokens } from '../../lib/identity/tokens/token.ts';

/** The time for which lines are collected: a write costs more than a line. */
const pauseMs = 20;
/** The maximum output that is buffered while nobody reads it. */
const maxUnreadBytes = 1_000_000;
const maxTargetLength = 200;

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<string, Style>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' };

/** Prints a line for each request, in colours if the terminal has them. */
export class RequestLines {
  #pending = '';
  readonly #statuses = new Map<number, string>();

  add({ method, target, status, milliseconds }: AnsweredRequest): void {
    if (this.#pending === '') setTimeout(() => this.flush(), pauseMs);
    this.#pending += `${method} ${printable(target)} ${this.#statusText(status)} ${milliseconds.toFixed(1)} ms\n`;
  }

  /** Writes the buffered lines. */
  flush(): void {
    if (process.stdout.writableLength < maxUnreadBytes) process.stdout.write(this.#pending);
    this.#pending = '';
  }

  #statusText(status: number): string {
    let text = this.#statuses.get(status);
    if (text === undefined) {
      text = styleText(styles[String(status).charAt(0)] ?? 'reset', String(status));
      this.#statuses.set(status, text);
    }
    return text;
  }
}

/** Returns the path without tokens, and without characters that could control the terminal. */
function printable(target: string): string {
  const [path = ''] = target.split('?', 1);
  const text = hideTokens(path).replace(/[^\x21-\x7e]/g, '?');
  return text.length > maxTargetLength ? `${text.slice(0, maxTargetLength)}…` : text;
}
