import type { ScriptStep } from './step.ts';

/** Answer of a server. */
export interface ComparedReply {
  readonly status: number;
  /** Parsed where it is JSON, else its text. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** One of the two servers, with what the steps have kept of it. */
export class ComparedServer {
  readonly name: string;
  readonly kept: Map<string, string>;
  readonly #url: string;

  constructor(name: string, url: string, kept: Readonly<Record<string, string>>) {
    this.name = name;
    this.#url = url.replace(/\/+$/, '');
    this.kept = new Map(Object.entries(kept));
  }

  /** Sends a step, and keeps of its reply what later steps need. */
  async send({ send, as, body, headers, keep = {} }: ScriptStep): Promise<ComparedReply> {
    const [method = 'GET', path = '/'] = this.#filled(send).split(' ');
    const token = as === 'nobody' ? undefined : this.kept.get(`${as ?? 'admin'} token`);
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, this.#filled(value)])),
      },
      ...(body !== undefined && { body: this.#filled(JSON.stringify(body)) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    const reply = { status: response.status, body: parsed(await response.text()), headers: response.headers };
    for (const [name, place] of Object.entries(keep)) {
      const value = keptOf(reply, place);
      if (value !== undefined && value !== null) {
        this.kept.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      }
    }
    return reply;
  }

  #filled(text: string): string {
    // Neither a list of numbers nor a whole file is text.
    return text
      .replaceAll('"{segmentIds}"', `[${this.kept.get('segmentId')}]`)
      .replaceAll('"{exported}"', () => this.kept.get('exported') ?? '{}')
      .replaceAll(/\{([\w ]+)\}/g, (whole, name) => this.kept.get(name) ?? whole);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function keptOf({ body, headers }: ComparedReply, place: string): unknown {
  const [what = '', name = '', of = ''] = place.split(' ');
  if (what === 'header') return headers.get(name);
  if (what === 'query') return new URL(String(valueAt(body, of))).searchParams.get(name);
  return valueAt(body, place);
}

function valueAt(body: unknown, place: string): unknown {
  if (place === '') return body;
  return place.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}
