/** Requests to one operation, and its answers. */
interface Tally {
  byHand: number;
  generated: number;
  overHttp: number;
  readonly statuses: Map<number, number>;
}

export type FindingKind = keyof Omit<Tally, 'statuses'>;

const shownMax = 20;

/** Keeps account of what was sent, and of every promise that broke. */
export class Findings {
  readonly #tallies = new Map<string, Tally>();
  /** Broken promises of one cause are one, with the first request that showed it. */
  readonly #broken = new Map<string, { readonly shown: string; times: number; readonly operations: Set<string> }>();

  count(operationId: string, kind: FindingKind, status: number): void {
    const tally = this.#tallies.get(operationId) ?? { byHand: 0, generated: 0, overHttp: 0, statuses: new Map() };
    this.#tallies.set(operationId, tally);
    tally[kind] += 1;
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  }

  /** @param cause fault of the request, in the same words for requests alike. */
  add(operationId: string, promises: readonly string[], cause: string, example: string): void {
    if (promises.length === 0) return;
    const broken = promises.join('\n   ');
    // Numbers and quotations differ from request to request, what is wrong does not.
    const key = `${cause}: ${broken.replaceAll(/"[^"]*"|\d{3,}/g, '…')}`;
    const known = this.#broken.get(key) ?? { shown: `${broken}\n${example}`, times: 0, operations: new Set() };
    this.#broken.set(key, known);
    known.times += 1;
    known.operations.add(operationId);
  }

  /** Number of kinds of broken promises. */
  get kinds(): number {
    return this.#broken.size;
  }

  get isClean(): boolean {
    return this.kinds === 0;
  }

  /** Number of all requests sent. */
  get total(): number {
    return [...this.#tallies.values()].reduce((sum, each) => sum + each.byHand + each.generated + each.overHttp, 0);
  }

  /** Returns a line for each operation. */
  table(): string {
    const rows = [...this.#tallies].map(([operationId, { byHand, generated, overHttp, statuses }]) => [
      operationId,
      String(byHand),
      String(generated),
      String(overHttp),
      [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${status === 0 ? 'no answer' : status} ×${times}`)
        .join(', '),
    ]);
    const all = [['operation', 'by hand', 'generated', 'over HTTP', 'statuses seen'], ...rows];
    const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
    return all
      .map((row) =>
        row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
      )
      .map((cells) => cells.join('  '))
      .join('\n');
  }

  /** Returns the first broken promises, each with the request that showed it. */
  problems(): string {
    const all = [...this.#broken.values()];
    const shown = all.slice(0, shownMax).map(({ shown, times, operations }, index) => {
      const more = times > 1 ? `\n  ${times} times in all, of ${[...operations].join(', ')}` : '';
      return `${index + 1}. ${shown}${more}`;
    });
    const rest = all.length - shownMax;
    return [...shown, ...(rest > 0 ? [`And ${rest} more kinds.`] : [])].join('\n\n');
  }
}
