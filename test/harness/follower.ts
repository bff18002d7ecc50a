import type { Connection, EventStream } from '../../lib/values/event-stream.ts';

/** An event of a stream, as a client reads it. */
export interface StreamEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** Parses server-sent events; comments, and blocks without data, are left out, as a client does. */
function parseEvents(text: string): StreamEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    return fields.data === undefined
      ? []
      : [{ name: fields.event ?? 'message', id: fields.id ?? '', data: fields.data }];
  });
}

/** A client of a stream, which keeps the state that the events describe, as SDKs do. */
export class Follower implements Connection {
  readonly features = new Map<string, Record<string, unknown>>();
  text = '';
  isEnded = false;
  #leave: (() => void) | undefined;

  get events(): StreamEvent[] {
    return parseEvents(this.text);
  }

  /** The last id, which the client sends when it connects again. */
  get lastId(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  }

  follow(stream: EventStream): this {
    this.#leave = stream(this);
    return this;
  }

  leave(): void {
    this.#leave?.();
  }

  send(bytes: Buffer): void {
    const text = bytes.toString();
    this.text += text;
    for (const { data } of parseEvents(text)) this.#apply(JSON.parse(data));
  }

  end(): void {
    this.isEnded = true;
    this.leave();
  }

  #apply({ events = [] }: { readonly events?: readonly Record<string, unknown>[] }): void {
    for (const { type, features, feature, featureName } of events) {
      if (type === 'hydration') this.features.clear();
      for (const each of [features ?? feature ?? []].flat() as Record<string, unknown>[])
        this.features.set(String(each.name), each);
      if (type === 'feature-removed') this.features.delete(String(featureName));
    }
  }
}
