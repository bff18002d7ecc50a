import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type CommandLine, runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { openEmbeddedStore } from '../../infra/local/embedded-store.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import { createRequest } from '../../lib/request.ts';
import { openStore } from '../../lib/store/client/open-store.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { fill } from './throughput/fill.ts';
import { project } from './throughput/paths.ts';

const help = `Measures the most memory and the processor time that a backup of a store of this machine takes, and a restore of it into
another one, each in a process of its own. Ends with PASS, or with FAIL and 1 when one takes more memory than it may.

  npm run bench:backup -- [OPTIONS]

  --features N  how many features the store has (100000), in 20 projects, with a strategy and an event each
  -h, --help    this text`;

const options = { features: { type: 'string', default: '100000' } } as const;

/** As the README promises. */
const memoryMaxMb = 300;
const otherProjects = 19;

async function bench({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const features = Number(values.features);
  if (!Number.isSafeInteger(features) || features < 1) throw new UsageError('--features takes a whole number.');
  using folder = temporaryFolder();
  const [from, to, file] = ['from', 'to', 'backup.gz'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await fillStore(from, features);
  const peaks = [await measure('backup', ['--to', file], from), await measure('restore', ['--from', file], to)];
  console.log(`The file has ${(statSync(file).size / 1024 / 1024).toFixed(0)} MB.`);
  const peak = Math.max(...peaks);
  return {
    passed: peak <= memoryMaxMb,
    summary: `at most ${peak.toFixed(0)} MB of memory, where ${memoryMaxMb} are allowed.`,
  };
}

async function fillStore(directory: string, features: number): Promise<void> {
  const { address, close } = await openEmbeddedStore(directory, 'normal');
  const table = createRequest(openStore({ name: 'flagstaff', endpoint: address }));
  await createTable(table);
  const ids = [project, ...Array.from({ length: otherProjects }, (_, index) => `filler-${index + 1}`)];
  await prepareStore(table, { adminTokens: [], seed: readSeed({ projects: ids.map((id) => ({ id })) }) });
  await fill(table, features);
  await close();
}

/** Prints to a fourth stream, at the end of a process, the memory that it has taken, in kB, and its seconds of processor time. */
const report = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeSync(3, JSON.stringify([maxRSS, (userCPUTime + systemCPUTime) / 1e6]));
  });`)}`;

/** @returns the most memory that a command has taken, in MB. */
async function measure(name: 'backup' | 'restore', args: readonly string[], directory: string): Promise<number> {
  const command = fileURLToPath(new URL(`../../infra/commands/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', report, command, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: directory },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const [figures] = await Promise.all([text(child.stdio[3] as NodeJS.ReadableStream), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`The ${name} has failed.`);
  const [kilobytes, seconds] = JSON.parse(figures) as [number, number];
  console.log(`${name}: ${(kilobytes / 1024).toFixed(0)} MB of memory, ${seconds.toFixed(1)} s of processor time`);
  return kilobytes / 1024;
}

await runCommand({ name: 'bench:backup', help, options, run: bench });
