import { variantPrefix } from '../features/use/feature-usage.ts';
import type { Request } from '../request.ts';
import { keyText } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { sha256 } from '../values/sha256.ts';
import { computeExpiry } from '../values/time.ts';
import { minuteOf } from './impact-metrics/periods.ts';
import * as usageKeys from './keys.ts';
import type { ReportedUsage } from './reported-usage.ts';
import type { UsageBuffer } from './usage-buffer.ts';

/** The time for which a minute is kept. */
const keptSeconds = 25 * 60 * 60;
/** The most instances that a process adds to a minute. */
const instancesMax = 100;
const instancePrefix = 'i:';

/** The instances by minute of a feature that a process has added. */
const instancesOf = cachePerObject((_: UsageBuffer) => new BoundedMap<string, Set<string>>(1_000));

/**
 * Counts a report about a feature with a safeguard in the current minute, by the time of the server. Without safeguards, hours suffice,
 * so no other feature has minutes.
 * @param report its variants must be those of the feature, which bounds the size of the item.
 * @param instanceId the sender's; anything but a text is no instance.
 */
export function recordFeatureMinute(
  buffer: UsageBuffer,
  environment: string,
  { featureName, appName, yes, no, variants }: ReportedUsage,
  instanceId: unknown,
  now: Date,
): void {
  const key = usageKeys.featureMinute(featureName, environment, minuteOf(now));
  const counts = Object.entries(variants).map(([name, count]) => [`${variantPrefix}${name}`, count] as const);
  const set: Record<string, number> = { expiresAtSeconds: computeExpiry(keptSeconds, now) };
  if (typeof instanceId === 'string') {
    const instances = instancesOf(buffer).get(keyText(key)) ?? new Set<string>();
    const id = sha256(`${appName}\n${instanceId}`, 'base64url').slice(0, 8);
    if (instances.has(id) || instances.size < instancesMax) {
      instancesOf(buffer).set(keyText(key), instances.add(id));
      set[`${instancePrefix}${id}`] = 1;
    }
  }
  buffer.count(key, { yes, no, ...Object.fromEntries(counts) }, set);
}

/** The reports about a feature in an environment within some minutes. */
export interface EvaluationCounts {
  readonly yes: number;
  readonly no: number;
  /** The number of times that each variant was chosen; `disabled` is none. */
  readonly variants: ReadonlyMap<string, number>;
  /** Ids of the instances that have reported. */
  readonly instances: ReadonlySet<string>;
  /** The end of the last minute with a report, in seconds since 1970; undefined without any. */
  readonly lastAt: number | undefined;
}

type MinuteItem = Readonly<Record<string, unknown>> & { readonly sk: string };

/** Sums up the minutes that begin in a range of seconds since 1970, both inclusive. */
export async function loadEvaluationCounts(
  request: Request,
  feature: { readonly name: string; readonly environment: string },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<EvaluationCounts> {
  const [first, last] = [from, to].map((seconds) => minuteOf(new Date(seconds * 1_000))) as [string, string];
  const items =
    from > to
      ? []
      : await queryAll<MinuteItem>(request, usageKeys.featureMinutes(feature.name, feature.environment, first, last));
  const counts = { yes: 0, no: 0, variants: new Map<string, number>(), instances: new Set<string>() };
  for (const [name, value] of items.flatMap(Object.entries)) {
    if (name === 'yes' || name === 'no') counts[name] += Number(value);
    else if (name.startsWith(instancePrefix)) counts.instances.add(name.slice(instancePrefix.length));
    else if (name.startsWith(variantPrefix)) {
      const variant = name.slice(variantPrefix.length);
      counts.variants.set(variant, (counts.variants.get(variant) ?? 0) + Number(value));
    }
  }
  const latest = items.at(-1)?.sk;
  return { ...counts, lastAt: latest === undefined ? undefined : Date.parse(`${latest}Z`) / 1_000 + 60 };
}
