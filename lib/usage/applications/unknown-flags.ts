import { loadHeadsAndTombstones } from '../../features/feature-store.ts';
import { isReportVisible } from '../../features/use/origin.ts';
import { isHidden, type Request, withAllProjects } from '../../request.ts';
import { queryAll } from '../../store/read.ts';
import { computeExpiry, isUnexpired } from '../../values/time.ts';
import type { UnknownFlag } from '../client-metrics-schema.ts';
import * as usageKeys from '../keys.ts';
import { loadQuota } from '../partition-quota.ts';
import type { UsageBuffer } from '../usage-buffer.ts';
import { seenApplications } from './applications.ts';

/** The seconds for which a request for an unknown flag is remembered. */
const keptSeconds = 7 * 24 * 60 * 60;
/**
 * The most unknown flags that are remembered, each with the application that asks for it: in all, and of one
 * application.
 */
const flagsMax = 1_000;
const flagsOfApplicationMax = 100;

/** A flag that an application has asked for in an environment. */
interface Asked {
  readonly featureName: string;
  readonly environment: string;
  readonly appName: string;
}

/** Tells whether the request of an application for an unknown flag is remembered. */
export type AdmitsUnknown = (asked: Asked) => boolean;

const keyOf = ({ featureName, environment, appName }: Asked) =>
  usageKeys.unknownFlag(featureName, environment, appName);

function askedIn(sk: string): Asked {
  const [featureName = '', environment = '', ...rest] = sk.split('#');
  // A name may have a # itself.
  return { featureName, environment, appName: rest.join('#') };
}

/** Those that are remembered, as far as there is room. */
export async function unknownFlagsOf(request: Request): Promise<AdmitsUnknown> {
  const quota = await loadQuota(request, usageKeys.unknownFlags(), (sk) => askedIn(sk).appName);
  return (asked) => quota.admits({ sk: keyOf(asked).sk, group: asked.appName }, flagsMax, flagsOfApplicationMax);
}

/** Remembers that a flag was asked for that is not there. */
export function noteUnknownFlag(
  memory: UsageBuffer,
  asked: Asked,
  origin: Readonly<Record<string, number>>,
  now: Date,
): void {
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  memory.note(keyOf(asked), { lastSeenAt: now.toISOString(), expiresAtSeconds }, origin);
}

interface UnknownFlagItem {
  readonly sk: string;
  readonly lastSeenAt: string;
  readonly expiresAtSeconds: number;
}

/** The flags that applications have asked for lately and that do not exist, by name. */
export async function listUnknownFlags(request: Request): Promise<UnknownFlag[]> {
  const items = await queryAll<UnknownFlagItem>(request, usageKeys.unknownFlags());
  const all = items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .slice(0, flagsMax)
    .map(({ sk, lastSeenAt }) => ({ ...askedIn(sk), seenAt: lastSeenAt }));
  const [seen, { heads, tombstones }] = await Promise.all([
    seenApplications(
      request,
      all.map(({ appName }) => appName),
    ),
    loadHeadsAndTombstones(
      withAllProjects(request),
      all.map(({ featureName }) => featureName),
    ),
  ]);
  // One may have been created since; and a token of all projects makes the name of a deleted feature known.
  const isUnknown = (name: string) => !heads.has(name) && !isHidden(request, tombstones.get(name)?.project);
  const shown = all.filter(({ featureName, appName }) => seen.has(appName) && isUnknown(featureName));
  return [...Map.groupBy(shown, ({ featureName }) => featureName)].map(([name, reports]) => ({
    name,
    lastSeenAt:
      reports
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? '',
    reports: [...Map.groupBy(reports, ({ appName }) => appName)].map(([appName, places]) => ({
      appName,
      environments: places.map(({ environment, seenAt }) => ({ environment, seenAt })),
    })),
  }));
}
