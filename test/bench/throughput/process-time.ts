import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in seconds, user and system together, of a server and of the store behind it. */
export interface ProcessTime {
  readonly server: number;
  readonly store: number;
}

/** Unit in which Linux reports processor time, whatever its own clock is. */
const ticksPerSecond = 100;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Seconds, those of children that have ended and been waited for included. */
  readonly seconds: number;
}

/**
 * Returns the processor time that processes have used so far: the first of them is the server; the others, and all
 * descendants of any of them, are its store.
 * @returns undefined on a platform without /proc, or when one of the processes is not there.
 */
export function processTimeOf(pids: readonly number[]): ProcessTime | undefined {
  const entries = readEntries();
  const [server] = pids.map((pid) => entries.find((entry) => entry.pid === pid));
  if (server === undefined || pids.some((pid) => entries.every((entry) => entry.pid !== pid))) return undefined;
  const others = withDescendants(entries, pids).filter((entry) => entry !== server);
  return { server: server.seconds, store: others.reduce((sum, { seconds }) => sum + seconds, 0) };
}

function withDescendants(entries: readonly ProcessEntry[], pids: readonly number[]): ProcessEntry[] {
  const children = Map.groupBy(entries, ({ parent }) => parent);
  const found = new Set(entries.filter(({ pid }) => pids.includes(pid)));
  // A set that grows while it is gone through is gone through to its end.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

function readEntries(): ProcessEntry[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readEntry(Number(name)));
  } catch {
    return [];
  }
}

function readEntry(pid: number): ProcessEntry[] {
  try {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
    const [, parent = 0] = fields;
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return [{ pid, parent, seconds: ticks / ticksPerSecond }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}
