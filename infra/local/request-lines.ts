import { styleText } from 'node:util';
import type { AnsweredRequest } from '../../lib/http/local/local-server.ts';
import { hideTokens } from '../../lib/identity/tokens/token.ts';

/** Lines are written together, since a write costs more than a line. */
const pauseMs = 20;
/** While they are not read, no more are kept. */
const unreadBytesMax = 1_000_000;
const targetLengthMax = 200;

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<string, Style>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' };

/** Shows each request on a line of its own, in colours where the terminal has them. */
export class RequestLines {
  #pending = '';
  readonly #statuses = new Map<number, string>();

  add({ method, target, status, milliseconds }: AnsweredRequest): void {
    if (this.#pending === '') setTimeout(() => this.flush(), pauseMs);
    this.#pending += `${method} ${shown(target)} ${this.#statusText(status)} ${milliseconds.toFixed(1)} ms\n`;
  }

  /** Writes the lines that are still held back. */
  flush(): void {
    if (process.stdout.writableLength < unreadBytesMax) process.stdout.write(this.#pending);
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

/** The path alone, without tokens, and nothing that a terminal would take for a command. */
function shown(target: string): string {
  const [path = ''] = target.split('?', 1);
  const printable = hideTokens(path).replace(/[^\x21-\x7e]/g, '?');
  return printable.length > targetLengthMax ? `${printable.slice(0, targetLengthMax)}…` : printable;
}
