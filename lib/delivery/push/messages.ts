import { formatTag } from '../delta/tag.ts';
import type { View } from '../delta/view.ts';

/** The server-sent events for the connections of one kind. */
export interface Messages {
  readonly kind: 'changes' | 'signals';
  /** Writes the first event of a connection. */
  greet(view: View, client: Client): string;
  /** The time in milliseconds over which an event is spread, if so many connections get it. */
  spread(connections: number): number;
  /** Writes the event for clients that have an earlier state. */
  update(view: View, from: string): string;
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
  greet: (view, { from }) => writeEvent('unleash-connected', view, writeChanges(view, from)),
  spread: () => 0,
  update: (view, from) => writeEvent('unleash-updated', view, writeChanges(view, from)),
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
  greet: (view, { isCurrent }) => (isCurrent ? `id: ${formatTag(view.state)}\n\n` : writeSignal(view)),
  // Every page evaluates at once, which takes about a millisecond of the processor for 1,000 flags.
  spread: (pages) => (pages <= pagesAtOnce ? 0 : Math.min((pages / pagesAtOnce) * 1_000, spreadMaxMs)),
  update: writeSignal,
};

function writeChanges(view: View, from: string | undefined): string {
  return `{"events":${view.writeEventsSince(from)}}`;
}

function writeSignal(view: View): string {
  return writeEvent('message', view, JSON.stringify({ type: 'refetchEvaluation', etag: formatTag(view.state) }));
}

/** Writes a server-sent event. Its data are one line, since JSON has no line breaks. */
function writeEvent(name: string, { state }: View, data: string): string {
  return `event: ${name}\nid: ${formatTag(state)}\ndata: ${data}\n\n`;
}
