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

  /**
   * Sends a step, and keeps of its reply what later steps need.
   * @throws Error that names the step if no answer comes.
   */
  async send(step: ScriptStep): Promise<ComparedReply> {
    const reply = await this.#request(step).catch((cause) => {
      throw new Error(`${this.name} gave no answer to "${step.title}": ${String(cause)}`, { cause });
    });
    for (const [name, place] of Object.entries(step.keep ?? {})) {
      const value = keptOf(reply, place);
      if (value !== undefined && value !== null) {
        this.kept.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      }
    }
    return reply;
  }

  async #request({ method, path, as, body, headers }: ScriptStep): Promise<ComparedReply> {
    const response = await fetch(this.#url + this.#filled(path), {
      method,
      headers: {
        ...this.#credentials(as),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: this.#filled(JSON.stringify(body)) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: await readBody(response), headers: response.headers };
  }

  #credentials(as: string): Record<string, string> {
    if (as === 'somebody') return { cookie: this.kept.get('session') ?? '', 'sec-fetch-site': 'same-origin' };
    const token = this.kept.get(`${as} token`);
    return token === undefined ? {} : { authorization: token };
  }

  #filled(text: string): string {
    // Neither a list of numbers nor a whole file is text.
    return text
      .replaceAll('"{segmentIds}"', `[${this.kept.get('segmentId')}]`)
      .replaceAll('"{exported}"', () => this.kept.get('exported') ?? '{}')
      .replaceAll(/\{([\w ]+)\}/g, (whole, name) => this.kept.get(name) ?? whole);
  }
}

/** Returns the body; of a stream, which has no end, nothing. */
async function readBody(response: Response): Promise<unknown> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return parsed(await response.text());
  }
  await response.body?.cancel();
  return '';
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
