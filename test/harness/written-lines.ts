import { BoundedMap } from '../../lib/values/cache.ts';

type Line = Readonly<Record<string, unknown>>;

/** The log's lines about the latest requests, by the request's id, until they are taken. */
const requestLines = new BoundedMap<string, string[]>(1_000);

const listeners = new Set<(line: string) => void>();

/** Takes text that was written to stdout or stderr. */
export function noteWritten(text: string): void {
  for (const listen of listeners) listen(text);
  const [, requestId] = /"requestId":"([^"]+)"/.exec(text) ?? [];
  if (requestId === undefined) return;
  requestLines.set(requestId, [...(requestLines.get(requestId) ?? []), text]);
}

/** Returns the lines of the log about a request. Each is returned once. */
export function takeRequestLines(requestId: string): Line[] {
  const lines = requestLines.get(requestId) ?? [];
  requestLines.delete(requestId);
  return lines.map((line) => JSON.parse(line));
}

/** The lines of JSON that are written while `action` runs: those of the log, and those that tell metrics. */
export async function linesWrittenBy(action: () => unknown): Promise<{ log: Line[]; metrics: Line[] }> {
  const lines: Line[] = [];
  const listen = (text: string) => void (text.startsWith('{') && lines.push(JSON.parse(text)));
  listeners.add(listen);
  try {
    await action();
  } finally {
    listeners.delete(listen);
  }
  const { log = [], metrics = [] } = Object.groupBy(lines, (line) => ('_aws' in line ? 'metrics' : 'log'));
  return { log, metrics };
}
