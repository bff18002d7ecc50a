import { log } from '../../lib/http/log.ts';
import { describeError } from '../problem.ts';

/** The time for which the same warning is not repeated on stderr, since failed work is tried again every few seconds. */
const silenceMs = 60_000;

const printedAt = new Map<string, number>();

/**
 * Warns that background work has failed or needs attention: in the log, and also on stderr for people if the log is in text format,
 * which shows only requests.
 * @param message a sentence without its full stop.
 */
export function warn(message: string, error?: unknown): void {
  const reason = error === undefined ? undefined : describeError(error);
  log('WARN', `${message}.`, { reason });
  if (process.env.LOG_FORMAT !== 'text' || ['ERROR', 'SILENT'].includes(process.env.LOG_LEVEL ?? '')) return;
  const last = printedAt.get(message);
  if (last !== undefined && performance.now() - last < silenceMs) return;
  printedAt.set(message, performance.now());
  console.error(reason === undefined ? `${message}.` : `${message} (${reason}).`);
}
