import { log } from '../../lib/http/log.ts';
import { describeError } from '../problem.ts';

/** Pause before the same is said again: it is tried every few seconds. */
const silenceMs = 60_000;

const saidAt = new Map<string, number>();

/**
 * Reports that work in the background has failed, or needs to be looked at: in the log, and on stderr for people, whose log
 * shows requests alone.
 * @param what a sentence without its full stop.
 */
export function warn(what: string, error?: unknown): void {
  const reason = error === undefined ? undefined : describeError(error);
  log('WARN', `${what}.`, { reason });
  if (process.env.LOG_FORMAT !== 'text' || ['ERROR', 'SILENT'].includes(process.env.LOG_LEVEL ?? '')) return;
  const last = saidAt.get(what);
  if (last !== undefined && performance.now() - last < silenceMs) return;
  saidAt.set(what, performance.now());
  console.error(reason === undefined ? `${what}.` : `${what} (${reason}).`);
}
