import type { EventStream } from '../../lib/values/event-stream.ts';

/** Returns all that a stream sends at once, to a client that then leaves. */
export function readGreeting(stream: EventStream): Buffer {
  const sent: Buffer[] = [];
  const end = stream({ send: (bytes) => void sent.push(bytes), end() {} });
  end();
  return Buffer.concat(sent);
}
