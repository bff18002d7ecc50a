import type { DeltaCache } from '../delta/delta-cache.ts';
import { formatTag } from '../delta/tag.ts';

/** The server-sent events for the connections of one kind. */
export interface Messages {
  readonly kind: 'changes' | 'signals';
  /** Writes the first event of a connection. */
  greet(cache: DeltaCache, client: Client): string;
  /** Returns the time in milliseconds over which an event to some number of connections is spread. */
  spread(connections: number): number;
  /** Writes the event for clients that have an earlier state. */
  update(cache: DeltaCache, from: string): string;
}

/** A client that has just connected. */
interface Client {
  /** The hash of the state that it has; undefined if this process does not know that state. */
  readonly from: string | undefined;
  /** True if it has the present state, or must have evaluated it, since nothing has changed since then. */
  readonly isCurrent: boolean;
}

/** The changes themselves, for Unleash's SDKs and Edge. */
export const changes: Messages = {
  kind: 'changes',
  greet: (cache, { from }) => writeEvent('unleash-connected', cache, writeChanges(cache, from)),
  spread: () => 0,
  update: (cache, from) => writeEvent('unleash-updated', cache, writeChanges(cache, from)),
};

/** The number of pages that may evaluate at once. More pages get the signal one after the other, within five seconds. */
const pagesAtOnce = 300;
const spreadMaxMs = 5_000;

/**
 * The signal to evaluate again, for OpenFeature's providers (OFREP 0.3.0, ADR-0008). They evaluate before they connect, so the greeting
 * is a signal if they may have missed a change. Otherwise it only has an id, which a client sends when it connects again.
 */
export const signals: Messages = {
  kind: 'signals',
  greet: (cache, { isCurrent }) => (isCurrent ? `id: ${formatTag(cache.state)}\n\n` : writeSignal(cache)),
  // Every page evaluates at once, which takes about a millisecond of the processor for 1,000 flags.
  spread: (pages) => (pages <= pagesAtOnce ? 0 : Math.min((pages / pagesAtOnce) * 1_000, spreadMaxMs)),
  update: writeSignal,
};

function writeChanges(cache: DeltaCache, from: string | undefined): string {
  return `{"events":${cache.writeEventsSince(from)}}`;
}

function writeSignal(cache: DeltaCache): string {
  return writeEvent('message', cache, JSON.stringify({ type: 'refetchEvaluation', etag: formatTag(cache.state) }));
}

/** Writes a server-sent event. Its data are one line, since JSON has no line breaks. */
function writeEvent(name: string, { state }: DeltaCache, data: string): string {
  return `event: ${name}\nid: ${formatTag(state)}\ndata: ${data}\n\n`;
}
