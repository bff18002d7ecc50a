import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http';
import { request as requestByTls } from 'node:https';
import { type AddressRules, addressProblem, buildLookup, ForbiddenAddress, type Resolve } from './address-rules.ts';
import type { Answer } from './answer.ts';
import type { Outgoing } from './requests/outgoing.ts';

/** The patience with a receiver, in milliseconds: for the connection, and for all of it. */
interface Patience {
  readonly connectMs: number;
  readonly totalMs: number;
}

const usualPatience: Patience = { connectMs: 5_000, totalMs: 15_000 };

/** The most of the body of an answer that is read. */
const answerBytesMax = 16 * 1024;
/**
 * The most bytes that a receiver may send in all. Node bounds the head of an answer alone, and only by the message: one that
 * sends interim answers (1xx), blank lines or extensions of chunks for ever would keep a processor busy until the time is over.
 */
const receivedKilobytesMax = 128;

/** The world outside, as a post finds it. */
export interface Outside extends AddressRules {
  readonly resolve?: Resolve;
  readonly patience?: Patience;
}

/**
 * Posts a request, if its address may be asked, over a connection of its own. It follows no redirect, uses no proxy, and never
 * throws.
 */
export async function postOut({ url: address, headers, body }: Outgoing, outside: Outside): Promise<Answer> {
  const problem = addressProblem(address, outside);
  if (problem !== undefined) return { forbidden: `The address ${problem}` };
  const url = new URL(address);
  const { connectMs, totalMs } = outside.patience ?? usualPatience;
  const abort = new AbortController();
  const isOver = (what: string) => abort.abort(new TimedOut(what));
  const connecting = setTimeout(isOver, connectMs, `no connection within ${connectMs / 1000} s`);
  const waiting = setTimeout(isOver, totalMs, `no answer within ${totalMs / 1000} s`);
  try {
    return await answerTo(url, body, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal: abort.signal,
      lookup: buildLookup(url, outside, outside.resolve),
      onConnected: () => clearTimeout(connecting),
      onFlooded: () => abort.abort(new Flooded(`an answer of more than ${receivedKilobytesMax} kB`)),
    });
  } catch (error) {
    const reason = abort.signal.aborted ? abort.signal.reason : error;
    if (reason instanceof ForbiddenAddress) return { forbidden: `The address ${reason.message}` };
    if (reason instanceof TimedOut) return { lost: reason.message, timedOut: true };
    if (reason instanceof Flooded) return { lost: reason.message };
    return { lost: wordsOf(reason) };
  } finally {
    clearTimeout(connecting);
    clearTimeout(waiting);
  }
}

class TimedOut extends Error {}
class Flooded extends Error {}

interface Watchers {
  readonly onConnected: () => void;
  readonly onFlooded: () => void;
}

async function answerTo(
  url: URL,
  body: string | Buffer,
  { onConnected, onFlooded, ...options }: RequestOptions & Watchers,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestByTls : requestPlainly;
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request(url, options, answered)
      .on('error', failed)
      // A switch to another protocol ends the request without an error.
      .on('close', () => failed(new Error('the answer ended')))
      .on('socket', (socket) => {
        let remainingBytes = receivedKilobytesMax * 1024;
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
        socket.on('data', ({ length }) => {
          remainingBytes -= length;
          if (remainingBytes < 0) onFlooded();
        });
      })
      .end(body);
  });
  const { statusCode = 0, headers } = response;
  return { status: statusCode, retryAfter: headers['retry-after'], text: await beginningOf(response) };
}

/** Reads no more than is needed, since a receiver may go on for ever. One that breaks off has said its status before. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // What came until then is the beginning.
  }
  response.destroy();
  return Buffer.concat(parts).subarray(0, answerBytesMax).toString('utf8');
}

/** Describes an error without the address that it may name. */
function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? `no connection (${message.slice(0, 100)})` : `no connection (${code})`;
}
