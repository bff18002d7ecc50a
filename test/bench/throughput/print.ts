import type { Growth } from './growth.ts';
import type { LargeTimes } from './large-times.ts';
import type { Measurements } from './measure.ts';

const nameWidth = 38;

/** Head of the lines of figures. */
export const figuresHead = [
  'work'.padEnd(nameWidth),
  'server'.padEnd(9),
  'conn.'.padStart(5),
  'calls/s'.padStart(9),
  ...['p50', 'p95', 'p99'].map((name) => `${name} ms`.padStart(8)),
  'CPU µs: server, store'.padStart(28),
].join(' ');

/** Formats one line of figures; undefined ones are those of an operation that the server does not know. */
export function figuresLine(
  work: string,
  server: string,
  connections: number,
  figures: Measurements | undefined,
): string {
  const start = [work.padEnd(nameWidth), server.padEnd(9), String(connections).padStart(5)];
  if (figures === undefined) return [...start, 'not there'].join(' ');
  const { perSecond, p50, p95, p99, processor, failures } = figures;
  return [
    ...start,
    perSecond.toFixed(perSecond < 100 ? 1 : 0).padStart(9),
    ...[p50, p95, p99].map((milliseconds) => milliseconds.toFixed(2).padStart(8)),
    processorWords(processor).padStart(28),
    ...failuresWords(failures),
  ].join(' ');
}

/** Head of the lines of large works. */
export const largeHead = [
  'work'.padEnd(nameWidth),
  'server'.padEnd(9),
  'ms'.padStart(9),
  'CPU ms: server, store'.padStart(25),
].join(' ');

/**
 * Formats one line of a large work; undefined times are those of work that the server does not know, or does not do
 * alike.
 */
export function largeLine(work: string, server: string, times: LargeTimes | undefined): string {
  const start = [work.padEnd(nameWidth), server.padEnd(9)];
  if (times === undefined) return [...start, 'not compared'].join(' ');
  const { milliseconds, processor, calls, failures } = times;
  return [
    ...start,
    milliseconds.toFixed(1).padStart(9),
    processorWords(processor).padStart(25),
    ...(calls > 1 ? [`  in ${calls} calls`] : []),
    ...failuresWords(failures),
  ].join(' ');
}

/** Head of the lines of work whose cost is compared by the size of something. */
export function sizesHead(what: string, sizes: readonly number[]): string {
  return [`p50 ms by ${what}`.padEnd(nameWidth), ...sizes.map((size) => String(size).padStart(9))].join(' ');
}

export function sizesLine({ name, p50, verdict }: Growth): string {
  const figures = p50.map((milliseconds) => milliseconds.toFixed(2).padStart(9));
  return [name.padEnd(nameWidth), ...figures, ` ${verdict.words}`].join(' ');
}

function processorWords(processor: LargeTimes['processor']): string {
  return processor === undefined ? 'not known' : `${processor.server.toFixed(0)} + ${processor.store.toFixed(0)}`;
}

/** Formats the failures and their counts, if any: "  FAILED: 3 × 503". */
function failuresWords(failures: ReadonlyMap<string, number>): string[] {
  const words = [...failures].map(([what, count]) => `${count} × ${what}`);
  return words.length === 0 ? [] : [`  FAILED: ${words.join(', ')}`];
}

/** Formats a line that belongs to the work above it. */
export function remark(text: string): string {
  return `${' '.repeat(nameWidth)} ${text}`;
}
