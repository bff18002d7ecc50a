import { logWatch } from './log-watch.ts';
import { noteWritten } from './written-lines.ts';

let isWatched = false;

/** From the first call on, whatever this process writes is read; what is a line of the log goes no further. */
export function watchOutput(): void {
  if (isWatched) return;
  isWatched = true;
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
}
