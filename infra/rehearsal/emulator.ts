import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../local/ports.ts';
import { baseEnvironment } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { type BackgroundProcess, start, tail } from './processes.ts';

/** The emulator of AWS, pinned: what it cannot do is known of this version. */
export const emulatorRequirement = 'ministack==1.4.21';

const host = '127.0.0.1';
const patienceMs = 30_000;
const pauseMs = 100;
const findCjs = fileURLToPath(new URL('find-cjs.ts', import.meta.url));

/** An AWS of our own on this machine. */
export interface Emulator extends BackgroundProcess {
  readonly endpoint: string;
}

/**
 * Starts the emulator on a free port that only this machine reaches, and is done when it answers.
 * @throws RehearsalProblem with what it printed when it does not come up.
 */
export async function startEmulator(bin: string, directory: string, signal: AbortSignal): Promise<Emulator> {
  const port = await freePort(host);
  // What the emulator unpacks below this folder is CommonJS, whatever a package.json further up says.
  await writeFile(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const env = {
    ...baseEnvironment(directory),
    GATEWAY_PORT: String(port),
    BIND_HOST: host,
    // Functions run as processes of this machine; the other way is Docker.
    LAMBDA_EXECUTOR: 'local',
    NODE_OPTIONS: `--require ${findCjs}`,
    STATE_DIR: join(directory, 'state'),
    S3_DATA_DIR: join(directory, 's3'),
  };
  const running = start(join(bin, 'ministack'), [], { env, signal });
  const emulator = { ...running, endpoint: `http://${host}:${port}` };
  try {
    await untilReady(emulator, signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return emulator;
}

async function untilReady({ endpoint, ended, output }: Emulator, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  while (!(await answers(endpoint))) {
    signal.throwIfAborted();
    if (gone || Date.now() > deadline) {
      throw new RehearsalProblem(`The emulator does not come up:\n${tail(output())}`);
    }
    await sleep(pauseMs);
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(1_000) });
    return ok;
  } catch {
    return false;
  }
}
