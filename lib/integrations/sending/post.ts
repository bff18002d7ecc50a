import { type IncomingMessage, type RequestOptions, request as requestPlainly } from 'node:http';
import { request as requestByTls } from 'node:https';
import { type AddressRules, buildLookup, ForbiddenAddress, findAddressProblem, type Resolve } from './address-rules.ts';
import type { Answer } from './answer.ts';
import type { Outgoing } from './requests/outgoing.ts';

/** The timeouts of a request in milliseconds: for the connection, and for everything. */
interface Timeouts {
  readonly connectMs: number;
  readonly totalMs: number;
}

const usualTimeouts: Timeouts = { connectMs: 5_000, totalMs: 15_000 };

/** The most bytes of the body of an answer that are read. */
const answerBytesMax = 16 * 1024;
/**
 * The most kilobytes of an answer. Node only limits the head of each message: a receiver that sends interim answers (1xx), blank
 * lines or chunk extensions without end would keep a processor busy until the timeout.
 */
const receivedKilobytesMax = 128;

/** The surroundings of a request. */
export interface Outside extends AddressRules {
  readonly resolve?: Resolve;
  readonly timeouts?: Timeouts;
}

/**
 * Posts a request over a connection of its own, if its address is allowed. It follows no redirect, uses no proxy, and never
 * throws.
 */
export async function postOut({ url: address, headers, body }: Outgoing, outside: Outside): Promise<Answer> {
  const problem = findAddressProblem(address, outside);
  if (problem !== undefined) return { forbidden: `The address ${problem}` };
  const url = new URL(address);
  const { connectMs, totalMs } = outside.timeouts ?? usualTimeouts;
  const abort = new AbortController();
  const timeOut = (message: string) => abort.abort(new TimedOut(message));
  const connecting = setTimeout(timeOut, connectMs, `no connection within ${connectMs / 1000} s`);
  const waiting = setTimeout(timeOut, totalMs, `no answer within ${totalMs / 1000} s`);
  try {
    return await sendRequest(url, body, {
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
    return { lost: describeConnectionError(reason) };
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

async function sendRequest(
  url: URL,
  body: string | Buffer,
  { onConnected, onFlooded, ...options }: RequestOptions & Watchers,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestByTls : requestPlainly;
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request(url, options, answered)
      .on('error', failed)
      // An upgrade to another protocol ends the request without an error.
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
  return { status: statusCode, retryAfter: headers['retry-after'], text: await readBeginning(response) };
}

/** Reads the beginning of a body. A body may be endless, or break off after its status. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // The parts before the error are the beginning.
  }
  response.destroy();
  return Buffer.concat(parts).subarray(0, answerBytesMax).toString('utf8');
}

/** Describes an error without its address. */
function describeConnectionError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? `no connection (${message.slice(0, 100)})` : `no connection (${code})`;
}
