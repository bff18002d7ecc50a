import autocannon from 'autocannon';
import { type Address, headersOf, isSuccess, type TimedCall } from '../../harness/http-call.ts';

/** Imports of thousands of features may take their time. */
const timeoutSeconds = 300;

/** Interval at which autocannon checks whether it is done, which delays us and is no part of what is measured. */
const lookMs = 5;

/**
 * Makes each of the calls once, over so many connections, each of which makes its next call as soon as it has an answer.
 * A failed call is no success, but takes its time. A call that is made again and again is built once: building each would
 * take longer than the fastest servers need for an answer.
 * @returns the seconds from the first answered request to the last answer, the milliseconds of each call that succeeded, and
 * counts of each status other than success, and of missing answers.
 */
export async function load(address: Address, calls: readonly TimedCall[], connections: number) {
  const [first] = calls;
  const latencies: number[] = [];
  const failures = new Map<string, number>();
  if (first === undefined) return { seconds: 0, latencies, failures };
  const fail = (what: string) => void failures.set(what, (failures.get(what) ?? 0) + 1);
  const remaining = calls.values();
  let firstAt: number | undefined;
  let lastAt = Number.NaN;

  const options: autocannon.Options = {
    url: address.url,
    amount: calls.length,
    connections: Math.min(connections, calls.length),
    requests: [
      calls.every((call) => call === first)
        ? requestOf(address, first)
        : // A lost connection is replaced by one that sends again, so there is one request more than there are calls.
          { setupRequest: (request) => ({ ...request, ...requestOf(address, remaining.next().value ?? lost) }) },
    ],
    timeout: timeoutSeconds,
    sampleInt: lookMs,
  };
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const run = autocannon(options, (error) => (error ? reject(error) : resolve()));
  run.on('response', (_client, status, _bytes, milliseconds) => {
    lastAt = performance.now();
    firstAt ??= lastAt - milliseconds;
    // Calls of one kind have one kind of success.
    if (isSuccess(first, status)) latencies.push(milliseconds);
    else fail(String(status));
  });
  run.on('reqError', () => fail('no answer'));
  await done;
  return { seconds: (lastAt - (firstAt ?? lastAt)) / 1_000, latencies, failures };
}

/** Call sent in place of a lost one. */
const lost: TimedCall = { method: 'GET', path: '/' };

function requestOf(address: Address, call: TimedCall): autocannon.Request {
  const { method, path, body } = call;
  return { method, path, headers: headersOf(address, call), ...(body !== undefined && { body }) };
}
