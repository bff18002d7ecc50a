import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/ports.ts';
import { baseEnvironment } from './environment.ts';
import { type BackgroundProcess, RehearsalProblem, start, tail } from './processes.ts';

/** The emulator of AWS. Its version is pinned, since the rehearsal works around the limits of this version. */
export const emulatorRequirement = 'ministack==1.4.21';
/** The package with which the emulator signs by keys of KMS. */
export const signingRequirement = 'cryptography==50.0.2';

const host = '127.0.0.1';
const startMs = 30_000;
const pauseMs = 100;
const findCjs = fileURLToPath(new URL('find-cjs.ts', import.meta.url));

/** A running emulator of AWS on this machine. */
export interface Emulator extends BackgroundProcess {
  readonly endpoint: string;
}

/**
 * Starts the emulator on a free loopback port, and waits until it answers.
 * @throws RehearsalProblem with its output if it does not answer within 30 seconds.
 */
export async function startEmulator(bin: string, directory: string, signal: AbortSignal): Promise<Emulator> {
  const port = await freePort(host);
  // The emulator unpacks CommonJS below this folder. A package.json further up could declare ES modules.
  await writeFile(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const env = {
    ...baseEnvironment(directory),
    GATEWAY_PORT: String(port),
    BIND_HOST: host,
    // Functions run as processes of this machine, not in Docker.
    LAMBDA_EXECUTOR: 'local',
    // With the package that signs, it would also open a broker of IoT to the network, on a fixed port.
    IOT_MTLS_ENABLED: '0',
    NODE_OPTIONS: `--require ${findCjs}`,
    STATE_DIR: join(directory, 'state'),
    S3_DATA_DIR: join(directory, 's3'),
  };
  const running = start(join(bin, 'ministack'), [], { env, signal });
  const emulator = { ...running, endpoint: `http://${host}:${port}` };
  try {
    await waitUntilReady(emulator, signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return emulator;
}

async function waitUntilReady({ endpoint, ended, output }: Emulator, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + startMs;
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!(await isHealthy(endpoint))) {
    signal.throwIfAborted();
    if (hasEnded || Date.now() > deadline) {
      throw new RehearsalProblem(`The emulator did not start:\n${tail(output())}`);
    }
    await sleep(pauseMs);
  }
}

async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(1_000) });
    return ok;
  } catch {
    return false;
  }
}
