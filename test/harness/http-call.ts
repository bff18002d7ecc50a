/** Request of the work that is timed. Its body is text already, so that making it is not timed. */
export interface TimedCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token of an SDK, instead of the administrator's. */
  readonly token?: string;
  /** The one status that is a success; any 2xx unless this says otherwise. */
  readonly status?: number;
}

/** Server to call. */
export interface Address {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly token: string;
}

export function get(path: string): TimedCall {
  return { method: 'GET', path };
}

export function post(path: string, body: unknown): TimedCall {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

export function put(path: string, body: unknown): TimedCall {
  return { method: 'PUT', path, body: JSON.stringify(body) };
}

export function remove(path: string): TimedCall {
  return { method: 'DELETE', path };
}

export function headersOf(
  address: Address,
  { body, headers, token = address.token }: TimedCall,
): Record<string, string> {
  return { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
}

export function isSuccess({ status: wanted }: Pick<TimedCall, 'status'>, status: number): boolean {
  return wanted === undefined ? status >= 200 && status < 300 : status === wanted;
}

/**
 * Makes a call that is not timed: a part of what comes before the timed work.
 * @returns the answer's body, undefined for an empty one.
 * @throws Error with the server's own words for anything but a success, since the work that follows would be no work.
 */
export async function send(address: Address, call: TimedCall): Promise<unknown> {
  const response = await fetch(address.url + call.path, {
    method: call.method,
    headers: headersOf(address, call),
    body: call.body ?? null,
  });
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw new Error(`${call.method} ${address.url}${call.path} was answered ${response.status}: ${text.slice(0, 500)}`);
}

/** Makes calls that are not timed, several of them at a time. */
export async function sendAll(address: Address, calls: readonly TimedCall[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const entries = calls.entries();
  // All of them take the next call from the same iterator.
  async function work(): Promise<void> {
    for (const [index, call] of entries) answers[index] = await send(address, call);
  }
  await Promise.all(Array.from({ length: sendersMax }, work));
  return answers;
}

const sendersMax = 8;
