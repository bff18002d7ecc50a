/** The part of a stream that a progress is shown on. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** A long part of a command, as it is shown on stderr. */
export interface Progress extends Disposable {
  /** Adds to the amount that is done, which is shown from time to time. */
  advance(amount?: number): void;
  /** Sets the whole amount, once it is known. */
  expect(total: number): void;
}

const barWidth = 24;
const redrawMs = 100;
const lineMs = 10_000;
const clearLine = '\r\u001b[K';

/**
 * Begins to show the progress of a part: on a terminal a bar, which goes when the part ends; elsewhere, such as in a log, a
 * line every ten seconds. What came of it is the command's to say.
 * @param what the part, such as "Items read".
 * @param total how much there is to do; undefined while it is unknown.
 */
export function startProgress(what: string, total?: number, output: Output = process.stderr): Progress {
  let [done, all, shownAt] = [0, total, performance.now()];
  const text = () => (all === undefined ? amount(done) : `${amount(done)} of ${amount(all)}`);
  const show = () =>
    output.write(output.isTTY ? cut(`${what} ${bar(done, all)}${text()}`, output) : `${what}: ${text()}\n`);
  if (output.isTTY) show();
  return {
    advance(more = 1) {
      done += more;
      const now = performance.now();
      if (now - shownAt < (output.isTTY ? redrawMs : lineMs)) return;
      shownAt = now;
      show();
    },
    expect(found) {
      all = found;
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

/** A line that were longer than the terminal is wide would not be cleared as a whole. */
function cut(line: string, { columns }: Output): string {
  return `${clearLine}${line.slice(0, (columns || 80) - 1)}`;
}
