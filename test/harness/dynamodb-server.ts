import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../infra/problem.ts';
import { freePort } from './ports.ts';

/** A DynamoDB-compatible store that others wrote, in a process of its own. */
export interface DynamoDbServer {
  /** The address where it takes requests. */
  readonly endpoint: string;
  /** Resolves when the store has ended, for whatever reason, with the last line that it printed. */
  readonly ended: Promise<string>;
  /** Ends the store, and is done when it has. */
  stop(): Promise<void>;
}

export interface DynamoDbServerOptions {
  /** The file that keeps its data; undefined keeps them in memory only. */
  readonly file: string | undefined;
  /** The address of the store whose place it takes; unless set it listens where none did before. */
  readonly endpoint?: string;
}

/** Ends the store with us: it runs in our process group, but a kill may be meant for us alone. */
const guardScript = fileURLToPath(new URL('guard-store.sh', import.meta.url));

/**
 * Starts the store that comes as a binary with the dependencies, and is done when it takes requests.
 * @throws Problem when there is no binary for this platform, or with the store's own words.
 */
export async function startDynamoDbServer({ file, endpoint }: DynamoDbServerOptions): Promise<DynamoDbServer> {
  for (let left = startsMax; ; left -= 1) {
    const store = await startAt(findBinary(), endpoint ?? (await freeEndpoint()), file);
    if (typeof store !== 'string') return store;
    const isTaken = endpoint === undefined && store.includes('already in use');
    if (!isTaken || left === 1) throw new Problem(`The store did not start: ${store}`);
  }
}

/** The most starts until one finds its port free. */
const startsMax = 5;

/**
 * There are 16 million loopback addresses, so two tests hardly take the same one, but somebody who listens on all addresses may have
 * taken the port meanwhile.
 */
async function freeEndpoint(): Promise<string> {
  const host = [127, randomInt(1, 256), randomInt(256), randomInt(1, 255)].join('.');
  return `http://${host}:${await freePort(host)}`;
}

/** A running store; the last words of one that ended before it took requests. */
async function startAt(binary: string, endpoint: string, file: string | undefined): Promise<DynamoDbServer | string> {
  const { hostname, port } = new URL(endpoint);
  const flags = ['--host', hostname, '--port', port, ...(file === undefined ? [] : ['--db-path', file])];
  const guard = spawn('sh', [guardScript, binary, ...flags], { stdio: ['pipe', 'ignore', 'pipe'] });
  const { listening, ended } = watch(guard);
  const lastWords = await Promise.race([listening, ended]);
  if (lastWords !== undefined) return lastWords;
  return {
    endpoint,
    ended,
    async stop() {
      guard.stdin?.end();
      await ended;
    },
  };
}

/** Tells whether the dependencies include one for this platform. */
export function hasDynamoDbServer(): boolean {
  try {
    findBinary();
    return true;
  } catch {
    return false;
  }
}

function findBinary(): string {
  const { platform, arch } = process;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}-${arch}/package.json`);
    return join(dirname(manifest), 'dynoxide');
  } catch {
    throw new Problem(
      `There is no DynamoDB-compatible server for ${platform}-${arch} among the dependencies: set DYNAMODB_ENDPOINT to the address of one, such as Amazon's DynamoDB Local.`,
    );
  }
}

/** Its own word counts: another program might answer on its port. */
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
