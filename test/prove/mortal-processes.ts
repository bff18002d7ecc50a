import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Number of processes that start while another one works: starting is most of their work. */
const spares = 2;

/**
 * Opens processes of a program, each for one job and to be killed. In one file, and with Node's compile cache kept in the
 * directory, one starts in a quarter of the time.
 */
export async function openMortalProcesses(directory: string, source: URL) {
  const program = join(directory, `${basename(source.pathname, '.ts')}.cjs`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    // Only the API reference asks where its files are, and no job does.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'cache') };
  const start = () => fork(program, { env });
  const waiting = Array.from({ length: spares }, start);

  return {
    next(): ChildProcess {
      waiting.push(start());
      return waiting.shift() ?? start();
    },
    [Symbol.dispose]() {
      for (const each of waiting) each.kill('SIGKILL');
    },
  };
}

/** Kills a process, and is done when nothing of it is left: no hold on a file, and no message that is still to come. */
export async function kill(victim: ChildProcess): Promise<void> {
  if (victim.exitCode !== null || victim.signalCode !== null) return;
  const closed = once(victim, 'close');
  victim.kill('SIGKILL');
  await closed;
}
