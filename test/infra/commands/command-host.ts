import { pathToFileURL } from 'node:url';

/** A command line, as a process is started by one. */
export interface Line {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Result of a command that has ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let count = 0;

/** Carries a command out in this process, which has most of what it needs already. */
async function carryOut({ file, args, env }: Line): Promise<CommandResult> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, file, ...args];
  process.exitCode = 0;
  const written = { stdout: '', stderr: '' };
  const writes = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array) => {
      written[name] += String(chunk);
      return true;
    };
    return () => Object.assign(stream, { write });
  });
  count += 1;
  try {
    // The file of a command is the command: each time it is loaded, it runs.
    await import(`${pathToFileURL(file)}?${count}`);
  } finally {
    for (const restore of writes) restore();
  }
  return { code: Number(process.exitCode), ...written };
}

process.on('message', async (line: Line) => process.send?.(await carryOut(line)));
process.on('disconnect', () => process.exit());
