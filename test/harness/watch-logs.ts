import { afterAll, expect } from 'vitest';
import { logWatch } from './log-watch.ts';
import { noteWritten } from './written-lines.ts';

/**
 * Runs before each test file, in its process. Whatever the service writes there is read; what is a line of the log goes
 * no further. When the tests of the file are done, no line may have told a token, a header or a part of a body.
 */
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const text = String(chunk);
    logWatch.read(text);
    noteWritten(text);
    return text.startsWith('{') || write(chunk, ...rest);
  };
}

for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const print = console[method].bind(console);
  console[method] = (...values: readonly unknown[]) => {
    logWatch.read(values.map(String).join(' '));
    print(...values);
  };
}

afterAll(() => expect(logWatch.leaks().slice(0, 10)).toEqual([]));
