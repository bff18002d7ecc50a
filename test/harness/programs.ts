import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { inject } from 'vitest';
import { programOptions } from '../../infra/program/program-options.ts';
import packageFile from '../../package.json' with { type: 'json' };

/** The programs of package.json that tests start in processes of their own. */
const programs = [
  ...Object.values(packageFile.scripts)
    .join('\n')
    .matchAll(/\binfra\/(?:local|commands)\/\w+\.ts$/gm),
].map(([program]) => program);

/** Room for what is new in a process that lives for a second: without it, a twelfth of its time goes into collecting it. */
export const roomForNew = '--min-semi-space-size=16';

/**
 * The bundle of a program, which starts in half the time of its sources; the tour starts the server from those, and the
 * host of commands loads them. The first worker that asks makes it for all.
 */
export function programOf(program: string): string {
  const folder = join(inject('compileCache'), 'programs');
  if (!existsSync(folder)) {
    const own = `${folder}-${process.pid}`;
    buildSync({ ...programOptions, entryPoints: programs, outdir: own });
    if (!existsSync(folder)) renameSync(own, folder);
  }
  return join(folder, program.replace(/^infra/, '').replace(/ts$/, 'mjs'));
}
