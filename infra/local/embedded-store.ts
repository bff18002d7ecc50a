import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Problem } from '../problem.ts';
import { freePort } from './free-port.ts';

/** A store of our own, in a process of its own. */
export interface EmbeddedStore {
  /** Where it takes requests. */
  readonly endpoint: string;
  /** Settles when the store has ended, whoever ended it, with the last it said. */
  readonly ended: Promise<string>;
  /** Ends the store, and is done when it has. */
  stop(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** Where it keeps its data; undefined keeps them in memory only. */
  readonly file: string | undefined;
}

const host = '127.0.0.1';

/** Ends the store with us: it runs in our process group, but a kill may be meant for us alone. */
const guardScript = fileURLToPath(new URL('guard-store.sh', import.meta.url));

/**
 * Starts the store that comes as a binary with the dependencies, and is done when it takes requests.
 * @throws Problem when there is no binary for this platform, when the port is taken, or with the store's own words.
 */
export async function startEmbeddedStore({ port, file }: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const binary = findBinary();
  const storePort = port === 0 ? await freePort(host) : port;
  const flags = ['--host', host, '--port', String(storePort), ...(file === undefined ? [] : ['--db-path', file])];
  const guard = spawn('sh', [guardScript, binary, ...flags], { stdio: ['pipe', 'ignore', 'pipe'] });
  const { listening, ended } = watch(guard);
  await Promise.race([listening, ended.then((lastWords) => Promise.reject(toProblem(lastWords, storePort)))]);
  return {
    endpoint: `http://${host}:${storePort}`,
    ended,
    async stop() {
      guard.stdin?.end();
      await ended;
    },
  };
}

function findBinary(): string {
  const { platform, arch } = process;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}-${arch}/package.json`);
    return join(dirname(manifest), 'dynoxide');
  } catch {
    throw new Problem(
      `There is no embedded store for ${platform}-${arch}: set DYNAMODB_ENDPOINT to the address of a DynamoDB Local or of any DynamoDB-compatible store.`,
    );
  }
}

/** It is its own word that counts: somebody else might answer on its port. */
function watch(guard: ChildProcess): { listening: Promise<void>; ended: Promise<string> } {
  let lastWords = '';
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  if (guard.stderr !== null) {
    createInterface(guard.stderr).on('line', (line) => {
      if (line.trim() !== '') lastWords = line;
      if (line.includes('listening on')) resolve();
    });
  }
  const ended = new Promise<string>((resolveEnded) => {
    guard.once('error', (error) => resolveEnded(error.message));
    guard.once('close', (code) => resolveEnded(`${lastWords} [exit code ${code}]`));
  });
  return { listening, ended };
}

function toProblem(lastWords: string, port: number): Problem {
  return /in use/i.test(lastWords)
    ? new Problem(
        `STORE_PORT ${port} is in use; stop what listens there, or set STORE_PORT to another one (0 takes any).`,
      )
    : new Problem(`The store did not start: ${lastWords}`);
}
