import { readFileSync } from 'node:fs';
import { atMost, type BarVerdict, footprintMax } from './bars.ts';
import { startMeasuredServer } from './local-server.ts';
import { sdkWorks } from './sdk-work.ts';

const features = '5000';

/**
 * Measures the processor time until a server on an empty folder has answered for the first time, and the memory of one that
 * has served 5,000 features to SDKs and in searches.
 */
export async function measureFootprint(): Promise<BarVerdict[]> {
  await using local = await startMeasuredServer({ store: 'file' });
  const { server, pid } = local;
  await server.send({ method: 'GET', path: '/health' });
  const seconds = server.processTime()?.server ?? Number.NaN;
  for (const work of sdkWorks.filter(({ name }) => name.includes(features))) {
    for (const call of await work.prepare(server, 20)) await server.send({ ...call, headers: {} });
  }
  return [
    atMost(seconds, footprintMax.startSeconds, 'processor time until the first answer on an empty folder', ' s'),
    atMost(residentMegabytes(pid), footprintMax.megabytes, `memory with ${features} features`, ' MB'),
  ];
}

/** Megabytes of memory that a process has; no number on a platform without /proc. */
function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
