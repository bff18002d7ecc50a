import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Most time that an SDK of another language may take to answer, including its start. */
const patienceMs = 30_000;

/** The programs that run SDKs of other languages. */
export const drivers = fileURLToPath(new URL('drivers/', import.meta.url));

/** An SDK of another language, in a process that answers each line of JSON with one. It ends with the block that uses it. */
export interface Driver extends AsyncDisposable {
  /** @throws Error with what the process said where it ends, or does not answer in time. */
  ask(asked: object): Promise<unknown>;
}

export function startDriver(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Driver {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close').catch(() => undefined);
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  // A process that ends closes its input; what is asked then is answered by `ended`.
  child.stdin.on('error', () => undefined);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();

  async function answer(): Promise<unknown> {
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    try {
      const { done, value } = await lines.next();
      if (done) throw new Error(`${command} ended, or did not answer within ${patienceMs} ms: ${said}`);
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask(asked) {
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      return answer();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      process.off('exit', endWithUs);
    },
  };
}
