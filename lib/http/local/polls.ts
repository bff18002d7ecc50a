import { type IncomingMessage, type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { onceFor } from '../../values/memory.ts';
import type { AnswerAgain } from '../declaration.ts';

/**
 * Time that an idle connection is kept open: longer than clients keep theirs, so that the server never closes one just
 * as a request is sent.
 */
export const keepAliveTimeout = 65_000;

type Headers = NonNullable<ReturnType<AnswerAgain>>;

/** Parts of serving that a repeated poll needs, too. */
export interface PollServing {
  readonly newRequestId: () => string;
  /** Returns a function that reports the answer; undefined where nobody wants to know. */
  readonly reporting: (method: string, target: string) => ((status: number) => void) | undefined;
  readonly isClosing: () => boolean;
}

/** A poll as it was sent, and its answer for as long as nothing has changed. */
interface SentPoll {
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly answerAgain: AnswerAgain;
}

/**
 * Answers requests that repeat the last poll of a connection, without its handler. An SDK repeats its poll word for word, and
 * comparing its raw headers is cheaper than parsing them. Still cheaper is to compare the bytes that arrive, before Node makes a
 * request and a response of them: that is done from the second repetition on.
 */
export class Polls {
  readonly #socket: Socket;
  readonly #serving: PollServing;
  #last: SentPoll | undefined;
  /** The bytes of the last poll, in the form in which clients usually write it; in any other form, Node gets it each time. */
  #bytes: Buffer | undefined;
  /** The bytes that Node is parsing, once all bytes come here first. */
  #arriving: Buffer | undefined;
  #seesBytes = false;
  /** Counts the pieces that Node was given to parse. */
  #pieces = 0;
  /** True when the last bytes that arrived were the whole of a poll and nothing else, and all requests so far are answered. */
  #isAfterPoll = false;

  constructor(socket: Socket, serving: PollServing) {
    this.#socket = socket;
    this.#serving = serving;
  }

  /** Keeps a poll for those that repeat it. */
  remember({ url: target = '/', rawHeaders }: IncomingMessage, answerAgain: AnswerAgain): void {
    this.#last = { target, rawHeaders, answerAgain };
    this.#bytes = undefined;
  }

  /**
   * Answers a request before it returns; false if it is not a repetition, or its handler has to answer.
   * @throws what the memory of answers throws.
   */
  answers(request: IncomingMessage, response: ServerResponse): boolean {
    const last = this.#last;
    if (last === undefined || !isSame(last, request)) return false;
    // A connection that its client keeps would outlast the closing server.
    if (this.#serving.isClosing()) response.shouldKeepAlive = false;
    const isAnswered = this.#repeat(last, (headers, requestId) =>
      response.writeHead(304, { ...headers, 'x-request-id': requestId }).end(),
    );
    if (isAnswered) this.#prepare(last, request, response);
    return isAnswered;
  }

  #repeat({ target, answerAgain }: SentPoll, send: (headers: Headers, requestId: string) => void): boolean {
    const answered = this.#serving.reporting('GET', target);
    const requestId = this.#serving.newRequestId();
    const headers = answerAgain(requestId);
    if (headers === undefined) return false;
    send(headers, requestId);
    answered?.(304);
    return true;
  }

  #prepare(last: SentPoll, request: IncomingMessage, response: ServerResponse): void {
    if (!this.#seesBytes) this.#seeBytes();
    this.#bytes ??= bytesOf(last);
    // Where Node found this poll in bytes that equal it, nothing of another request was before or behind it.
    if (this.#arriving?.equals(this.#bytes) !== true) return;
    const piece = this.#pieces;
    // Answers that Node still holds back, for a client that does not read, come before those that are written here. And a
    // request that is not complete has a body, though its length may stand behind the headers that Node keeps.
    response.once('close', () => {
      this.#isAfterPoll = request.complete && piece === this.#pieces;
    });
  }

  /** Has the bytes of the connection come here before Node parses them. */
  #seeBytes(): void {
    const [parse, another] = this.#socket.listeners('data') as ((bytes: Buffer) => void)[];
    // Node's parser alone listens, unless something else watches the connection.
    if (parse === undefined || another !== undefined) return;
    this.#seesBytes = true;
    this.#socket.on('data', (bytes: Buffer) => {
      if (this.#isAfterPoll && this.#answersBytes(bytes)) return;
      this.#isAfterPoll = false;
      this.#pieces += 1;
      this.#arriving = bytes;
      parse(bytes);
      this.#arriving = undefined;
    });
    this.#socket.off('data', parse);
  }

  #answersBytes(bytes: Buffer): boolean {
    const socket = this.#socket;
    if (this.#last === undefined || this.#bytes?.equals(bytes) !== true) return false;
    // Node bounds what waits for a client that does not read.
    if (socket.writableLength > 0) return false;
    try {
      return this.#repeat(this.#last, (headers, requestId) => socket.write(textOf(headers)(requestId), 'latin1'));
    } catch {
      // Node's request of it takes its turn, and fails there with an answer.
      return false;
    }
  }
}

function isSame({ target, rawHeaders }: SentPoll, { method, url, rawHeaders: sent }: IncomingMessage): boolean {
  if (url !== target || method !== 'GET' || sent.length !== rawHeaders.length) return false;
  return sent.every((each, index) => each === rawHeaders[index]);
}

function bytesOf({ target, rawHeaders }: SentPoll): Buffer {
  const words = rawHeaders.map((each, index) => each + (index % 2 === 0 ? ': ' : '\r\n'));
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${words.join('')}\r\n`, 'latin1');
}

/** Makes the answer with these headers as Node would write it; what does not change within a second is made once. */
const textOf = onceFor((headers: Headers) => {
  const lines = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  const begin = `HTTP/1.1 304 Not Modified\r\n${lines.join('')}x-request-id: `;
  let second = 0;
  let end = '';
  return (requestId: string) => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) {
      second = now;
      const date = new Date(now * 1_000).toUTCString();
      end = `\r\nDate: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeout / 1_000}\r\n\r\n`;
    }
    return begin + requestId + end;
  };
});
