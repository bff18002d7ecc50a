import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import { sha256 } from '../../values/sha256.ts';
import { computeExpiry } from '../../values/time.ts';
import type { Reporter } from '../applications/record-application.ts';
import { loadHourly } from '../hourly-cache.ts';
import * as usageKeys from '../keys.ts';
import type { UsageBuffer } from '../usage-buffer.ts';
import { admitMetrics, keptSeconds } from './known-metrics.ts';
import { attributes, boundOf, boundText } from './numbers.ts';
import { hourOf, minuteOf } from './periods.ts';
import {
  noLabels,
  type Observations,
  parseImpactMetrics,
  type ReportedMetric,
  type ReportedSample,
} from './reported-impact-metrics.ts';

/** The most series of a metric and bounds of its buckets in one hour. */
const seriesMax = 50;
const boundsMax = 20;
/**
 * The most buckets of all series of a histogram together: 50 series with eleven bounds. Each update of an item costs its whole size, so
 * that the cost grows with the square of the buckets.
 */
const bucketsMax = 600;
/** The share of the limits up to which reports with public tokens can add series and bounds. */
const publicShare = 0.5;
/** The time for which the measurements of a minute are kept. */
const minuteSeconds = 25 * 60 * 60;

/**
 * The series and bounds of a metric in one hour. Each hour begins with none, so that series which are not reported any more make room.
 * Concurrent processes can exceed the limits by those that they add at the same time.
 */
interface Slots {
  readonly series: Set<string>;
  readonly bounds: Set<number>;
}

/** A report of one metric while it is recorded. */
interface Recording {
  readonly buffer: UsageBuffer;
  readonly metric: ReportedMetric;
  readonly slots: Slots;
  readonly now: Date;
  /** The share of the limits up to which this report may add series and bounds. */
  readonly share: number;
}

/**
 * Adds the impact metrics of a report to the items of the current minute and hour, by the time of the server. One item holds all
 * series of a metric, so that the cost is that of the metrics, not of the instances that report them.
 * @param sdkType that of the token. Anybody can read the token of a page, and must not take the slots of what servers report.
 */
export async function recordImpactMetrics(
  request: Request,
  buffer: UsageBuffer,
  scope: TokenScope,
  reported: unknown,
  now: Date,
  sdkType: Reporter['sdkType'] = 'backend',
): Promise<void> {
  const parsed = parseImpactMetrics(reported, scope.environment);
  if (parsed.length === 0) return;
  const share = sdkType === 'frontend' ? publicShare : 1;
  const metrics = await admitMetrics(request, buffer, scope, parsed, { now, share });
  const slots = await Promise.all(metrics.map(({ name }) => loadSlots(request, name, hourOf(now))));
  for (const [index, metric] of metrics.entries()) {
    const known = slots[index];
    if (known !== undefined) recordMetric({ buffer, metric, slots: known, now, share });
  }
}

function recordMetric(recording: Recording): void {
  for (const sample of recording.metric.samples) {
    // Node's SDK sends a zero without labels while nothing happens. It shows that the metric is alive, and needs no series.
    if (sample.labels === noLabels && isZero(sample)) add(recording, {});
    else addSample(recording, sample);
  }
}

function isZero({ value, observations }: ReportedSample): boolean {
  return value === 0 || (observations !== undefined && [...observations.counts.values()].every((count) => count === 0));
}

function addSample(recording: Recording, { labels, value, observations }: ReportedSample): void {
  const id = sha256(labels, 'base64url').slice(0, 8);
  if (!takeSlot(recording, recording.slots.series, id, { [attributes.labels(id)]: labels })) return;
  if (observations !== undefined) addObservations(recording, id, observations);
  else if (value !== undefined && recording.metric.type === 'counter')
    add(recording, { [attributes.value(id)]: value });
  else if (value !== undefined) {
    // The sum and the number of the values tell their average.
    add(recording, { [attributes.sum(id)]: value, [attributes.number(id)]: 1 }, { [attributes.value(id)]: value });
  }
}

/** Adds observations. Those of a bucket without a slot are added to the next larger one with a slot. */
function addObservations(recording: Recording, id: string, { sum, counts }: Observations): void {
  const { bounds } = recording.slots;
  const added: Record<string, number> = { [attributes.sum(id)]: sum };
  for (const [bound, count] of counts) {
    const mark = { [attributes.bound(boundText(bound))]: 1 };
    const hasSlot = bound === Number.POSITIVE_INFINITY || takeSlot(recording, bounds, bound, mark);
    const larger = hasSlot ? [bound] : [...bounds].filter((other) => other > bound);
    const name = attributes.bucket(id, boundText(Math.min(...larger)));
    added[name] = (added[name] ?? 0) + count;
  }
  add(recording, added);
}

/** Takes a slot for a series or bound, unless it has one. @returns false if all are taken. */
function takeSlot<T>(
  { buffer, metric, slots, now, share }: Recording,
  taken: Set<T>,
  id: T,
  mark: Readonly<Record<string, string | number>>,
): boolean {
  if (taken.has(id)) return true;
  taken.add(id);
  const { series, bounds } = slots;
  // The highest bucket of each series, without a bound, needs no slot.
  const isFull =
    series.size > seriesMax * share ||
    bounds.size > boundsMax * share ||
    series.size * (bounds.size + 1) > bucketsMax * share;
  if (isFull) {
    taken.delete(id);
    return false;
  }
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  buffer.set(usageKeys.impactPeriod(metric.name, 'LABELS', hourOf(now)), { ...mark, expiresAtSeconds });
  return true;
}

/** Adds numbers to the minute and to the hour. */
function add(
  { buffer, metric: { name }, now }: Recording,
  numbers: Readonly<Record<string, number>>,
  set: Readonly<Record<string, number>> = {},
): void {
  const minute = usageKeys.impactPeriod(name, 'MINUTE', minuteOf(now));
  const hour = usageKeys.impactPeriod(name, 'HOUR', hourOf(now));
  buffer.count(minute, numbers, { ...set, expiresAtSeconds: computeExpiry(minuteSeconds, now) });
  buffer.count(hour, numbers, { ...set, expiresAtSeconds: computeExpiry(keptSeconds, now) });
}

/** Reads the slots that are taken; undefined while the store is unreachable and the process does not know them. */
function loadSlots(request: Request, name: string, hour: string): Promise<Slots | undefined> {
  const key = usageKeys.impactPeriod(name, 'LABELS', hour);
  const load = async () => {
    const taken = Object.keys((await readItem<object>(request, key)) ?? {});
    const series = taken.flatMap((attribute) => attributes.seriesOf(attribute) ?? []);
    const bounds = taken.flatMap((attribute) => boundOf(attribute) ?? []);
    return { series: new Set(series), bounds: new Set(bounds) };
  };
  return loadHourly<Slots | undefined>(request, `${key.pk}\n${key.sk}`, load, () => undefined);
}
