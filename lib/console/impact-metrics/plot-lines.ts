/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** The values by their time in seconds since 1970. */
  readonly values: ReadonlyMap<number, number>;
  /** The path of the line in a square of 100 units, with gaps where there is no value. */
  readonly path: string;
  /** The path to the values of times that are not over. In `path`, it would look like a fall. Empty if all times are over. */
  readonly unfinished: string;
}

export interface Plot {
  readonly lines: readonly Line[];
  /** The values at the lines of the grid, the lowest first. */
  readonly ticks: readonly number[];
  /** The times that have a value, in seconds since 1970, the earliest first. */
  readonly times: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Tells whether the hour or week at a time is not over, so that its values still change. */
  readonly isUnfinished: (time: number) => boolean;
}

/** Values over time, by their time in seconds since 1970. */
export type Series = Pick<Line, 'name' | 'values'>;

interface PlotRange {
  /** The times at the edges, in seconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The seconds between two values. A line has a gap where one is missing. */
  readonly step: number;
  /** The last time whose hour or week is over, in seconds since 1970. */
  readonly overUntil: number;
  /** True if the lowest line of the grid is 0 or less. */
  readonly isFromZero: boolean;
}

/** Plots series as lines, in their order. */
export function plotSeries(series: readonly Series[], { start, end, step, overUntil, isFromZero }: PlotRange): Plot {
  const values = series.flatMap((each) => [...each.values.values()]);
  const sizeMin = values.every(Number.isInteger) ? 1 : 0;
  const ticks = chooseTicks(Math.min(...values, ...(isFromZero ? [0] : [])), Math.max(...values), sizeMin);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  // The only time of a plot is in its middle.
  const xOf = (time: number) => (start === end ? 50 : ((time - start) / (end - start)) * 100).toFixed(2);
  const yOf = (value: number) => (100 - ((value - low) / (high - low)) * 100).toFixed(2);
  const pointOf = (time: number, value: number) => `${xOf(time)} ${yOf(value)}`;
  const isUnfinished = (time: number) => time > overUntil;
  const pathOf = (points: ReadonlyMap<number, number>, isDrawn: (time: number) => boolean) =>
    [...points]
      .filter(([time]) => isDrawn(time))
      .map(([time, value]) => {
        const point = pointOf(time, value);
        const before = points.get(time - step);
        // A line of no length shows a value without neighbours as a dot.
        if (before === undefined) return `M${point}L${point}`;
        return isDrawn(time - step) ? `L${point}` : `M${pointOf(time - step, before)}L${point}`;
      })
      .join('');
  const times = [...new Set(series.flatMap((each) => [...each.values.keys()]))].toSorted((a, b) => a - b);
  const lines = series.map((each) => ({
    ...each,
    path: pathOf(each.values, (time) => !isUnfinished(time)),
    unfinished: pathOf(each.values, isUnfinished),
  }));
  return { lines, ticks, times, start, end, isUnfinished };
}

/** Returns the last value of a line. */
export function lastOf(values: ReadonlyMap<number, number>): number {
  return [...values.values()].at(-1) ?? 0;
}

/** Chooses two to six round values, at least `sizeMin` apart, of which the first and the last enclose all values. */
function chooseTicks(lowest: number, highest: number, sizeMin: number): number[] {
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const range = highest - lowest || Math.abs(highest) || 1;
  const power = 10 ** Math.floor(Math.log10(range / 4));
  const size = Math.max(sizeMin, ([1, 2, 5, 10].find((each) => (each * power * 4) / range >= 1) ?? 10) * power);
  const first = Math.floor(lowest / size);
  const last = Math.max(first + 1, Math.ceil(highest / size));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * size).toPrecision(12)));
}
