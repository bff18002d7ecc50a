import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedReply } from '../deliver.ts';
import type { SpecifiedOperation } from '../operations.ts';

/** Bytes as no HTTP library would send them. */
export interface RawRequest {
  readonly what: string;
  readonly bytes: Buffer;
  /** Operations that may answer; undefined stands for the server itself, before an operation is called. */
  readonly answerers: readonly (SpecifiedOperation | undefined)[];
  /** True if the client falls silent before the request is complete. */
  readonly breaksOff?: boolean;
  /** True if it is enough that the connection is closed without an answer. */
  readonly mayClose?: boolean;
}

export type RawAnswer = Omit<ReceivedReply, 'operation'>;

const patienceMs = 10_000;

/**
 * Sends bytes to a server on this machine and reads the one answer; undefined where the connection was closed instead. The head of a
 * stream of events is the whole answer, since a stream goes on.
 * @throws Error where the answer does not come, or is no HTTP.
 */
export async function sendRaw(port: number, { bytes, breaksOff = false }: RawRequest): Promise<RawAnswer | undefined> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    if (isHeadOfStream(Buffer.concat(chunks))) socket.destroy();
  });
  // The server may close while there is still something to be sent.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  if (breaksOff) socket.end(bytes);
  else socket.write(bytes);
  const patience = new AbortController();
  const late = sleep(patienceMs, 'late', { signal: patience.signal }).catch(() => 'closed');
  const outcome = await Promise.race([closed, late]);
  patience.abort();
  socket.destroy();
  if (outcome === 'late') throw new Error(`No answer was complete after ${patienceMs} ms.`);
  const answer = Buffer.concat(chunks);
  return answer.length === 0 ? undefined : parsed(answer);
}

function isHeadOfStream(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  return end !== -1 && /^content-type: text\/event-stream/im.test(answer.toString('latin1', 0, end));
}

function parsed(answer: Buffer): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.subarray(0, end).toString('latin1').split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
  if (status === undefined || end === -1) throw new Error(`The answer is no HTTP: ${answer.toString().slice(0, 100)}`);
  const headers = Object.fromEntries(
    lines.map((line) => line.split(/: (.*)/s, 2)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );
  const length = Number(headers['content-length'] ?? 0);
  return { status: Number(status), headers, text: answer.subarray(end + 4, end + 4 + length).toString() };
}
