/** The part of a stream that shows progress. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** The progress of a long operation, which stderr shows. */
export interface Progress extends Disposable {
  /** Adds to the amount that is done. The display is updated from time to time. */
  advance(amount?: number): void;
  /** Sets the total amount when it becomes known. */
  expect(total: number): void;
}

const barWidth = 24;
const redrawMs = 100;
const lineMs = 10_000;
const clearLine = '\r\u001b[K';

/**
 * Starts to show the progress of an operation: on a terminal a bar, which disappears at the end; elsewhere, such as in a log, a line
 * every ten seconds. The command has to print the result itself.
 * @param title the operation, such as "Items read".
 * @param total the total amount; undefined while it is unknown.
 */
export function startProgress(title: string, total?: number, output: Output = process.stderr): Progress {
  let [done, all, shownAt] = [0, total, performance.now()];
  const text = () => (all === undefined ? amount(done) : `${amount(done)} of ${amount(all)}`);
  const show = () =>
    output.write(output.isTTY ? cut(`${title} ${bar(done, all)}${text()}`, output) : `${title}: ${text()}\n`);
  if (output.isTTY) show();
  return {
    advance(added = 1) {
      done += added;
      const now = performance.now();
      if (now - shownAt < (output.isTTY ? redrawMs : lineMs)) return;
      shownAt = now;
      show();
    },
    expect(total) {
      all = total;
    },
    [Symbol.dispose]() {
      if (output.isTTY) output.write(clearLine);
    },
  };
}

const amount = (count: number) => count.toLocaleString('en-US');

function bar(done: number, all: number | undefined): string {
  if (all === undefined) return '';
  const full = all === 0 ? barWidth : Math.min(barWidth, Math.floor((barWidth * done) / all));
  return `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}] `;
}

/** Cuts a line to the width of the terminal: a longer line could not be cleared completely. */
function cut(line: string, { columns }: Output): string {
  return `${clearLine}${line.slice(0, (columns || 80) - 1)}`;
}
