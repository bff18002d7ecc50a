/*
 * Numbers of a process, for a monitoring system. They are plain fields, since they change with each request. The library that prints
 * them is loaded when somebody first asks.
 */

/** The possible values of each label; `any` for few values that are not known in advance. */
type Labels = Readonly<Record<string, readonly string[] | 'any'>>;

/** A value for each label. */
type ValuesOf<L extends Labels> = {
  readonly [Name in keyof L]: L[Name] extends readonly string[] ? L[Name][number] : string;
};

/** A number with the values of its labels. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The name, if it differs from that of the family. */
  readonly metricName?: string;
}

/** A family: all numbers with one name. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Returns all numbers as they are now. */
  listSamples(): MetricSample[];
}

/** Numbers by the values of their labels. If the values are known, the numbers are 0 from the start, so that a first event is a rise. */
class Cells<L extends Labels, Cell> {
  readonly #names: readonly (keyof L & string)[];
  readonly #make: () => Cell;
  readonly #byKey = new Map<string, { readonly labels: MetricSample['labels']; readonly cell: Cell }>();

  constructor(labels: L, make: () => Cell) {
    this.#names = Object.keys(labels);
    this.#make = make;
    if (Object.values(labels).includes('any')) return;
    for (const values of combine(labels as Record<string, readonly string[]>)) this.get(values as ValuesOf<L>);
  }

  get(values: ValuesOf<L>): Cell {
    let key = '';
    for (const name of this.#names) key += `${values[name]}\n`;
    const existing = this.#byKey.get(key);
    if (existing !== undefined) return existing.cell;
    const cell = this.#make();
    this.#byKey.set(key, { labels: values, cell });
    return cell;
  }

  list(): { readonly labels: MetricSample['labels']; readonly cell: Cell }[] {
    return [...this.#byKey.values()];
  }
}

/** Returns every combination of one value for each label. */
function combine(labels: Readonly<Record<string, readonly string[]>>): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  );
}

/** A number that only rises. */
export interface Count {
  value: number;
}

export class CounterFamily<const L extends Labels> implements MetricFamily {
  readonly type = 'counter';
  readonly name: `flagstaff_${string}_total`;
  readonly help: string;
  readonly #cells: Cells<L, Count>;

  constructor(name: CounterFamily<L>['name'], help: string, labels: L) {
    this.name = name;
    this.help = help;
    this.#cells = new Cells(labels, () => ({ value: 0 }));
  }

  /** Returns the count for values of the labels: the same object each time. */
  of(values: ValuesOf<L>): Count {
    return this.#cells.get(values);
  }

  listSamples(): MetricSample[] {
    return this.#cells.list().map(({ labels, cell }) => ({ labels, value: cell.value }));
  }
}

/** Durations, counted by upper bounds. */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds in seconds, rising. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  add(milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    let index = 0;
    while (seconds > (this.#bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    (this.#counts[index] as number) += 1;
    this.#sum += seconds;
  }

  listSamples(name: string, labels: MetricSample['labels']): MetricSample[] {
    let count = 0;
    const buckets = this.#counts.map((counted, index) => {
      count += counted;
      const le = String(this.#bounds[index] ?? '+Inf');
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

export class HistogramFamily<const L extends Labels> implements MetricFamily {
  readonly type = 'histogram';
  readonly name: `flagstaff_${string}_seconds`;
  readonly help: string;
  readonly #cells: Cells<L, Distribution>;

  constructor(name: HistogramFamily<L>['name'], help: string, labels: L, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#cells = new Cells(labels, () => new Distribution(bounds));
  }

  /** Returns the durations for values of the labels: the same object each time. */
  of(values: ValuesOf<L>): Distribution {
    return this.#cells.get(values);
  }

  listSamples(): MetricSample[] {
    return this.#cells.list().flatMap(({ labels, cell }) => cell.listSamples(this.name, labels));
  }
}

/** A number that rises and falls. It is read when somebody asks for the metrics. */
export class GaugeFamily implements MetricFamily {
  readonly type = 'gauge';
  readonly name: `flagstaff_${string}`;
  readonly help: string;
  #read: () => readonly MetricSample[] = () => [{ labels: {}, value: 0 }];

  constructor(name: GaugeFamily['name'], help: string) {
    this.name = name;
    this.help = help;
  }

  /** Shows a number from now on; before the first call it is 0. */
  show(read: () => number): void {
    this.#read = () => [{ labels: {}, value: read() }];
  }

  /** Shows several numbers with labels. */
  showAll(read: () => readonly MetricSample[]): void {
    this.#read = read;
  }

  listSamples(): MetricSample[] {
    return [...this.#read()];
  }
}
