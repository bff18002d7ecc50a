import { originOf } from '../../features/use/origin.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { sha256 } from '../../values/sha256.ts';
import { computeExpiry } from '../../values/time.ts';
import type { ClientRegistration } from '../client-metrics-schema.ts';
import * as usageKeys from '../keys.ts';
import { loadQuota } from '../partition-quota.ts';
import { type UsageBuffer, useMs } from '../usage-buffer.ts';

/** An SDK that reports: the scope of its token, its address, and whether it runs on a server or in a browser. */
export interface Reporter {
  readonly scope: TokenScope;
  readonly address: string;
  readonly sdkType: 'backend' | 'frontend';
  /** The name and version in the header `unleash-sdk`; SDKs in browsers send them only there. */
  readonly sdk?: string | undefined;
}

/**
 * The most applications, pairs of an application and an SDK version, and instances per application. Anybody can send
 * reports of browsers, so their limits are lower, which leaves room for servers.
 */
const limits = {
  backend: { applications: 1_000, sdks: 2_000, instances: 2_000 },
  frontend: { applications: 500, sdks: 1_000, instances: 100 },
} as const;
/** The name under which the use by applications beyond the limit is counted. */
export const otherApplications = 'others';
/** The time for which an application is kept after its last report, unless somebody has described it. */
export const applicationSeconds = 30 * 24 * 60 * 60;
/** The time for which an instance is kept after its last report. Its use of features is kept a day longer. */
const instanceSeconds = 24 * 60 * 60;
const useSeconds = 48 * 60 * 60;
/** The most bytes of a text in a report; longer ones are ignored. */
const textBytesMax = 255;
const strategiesMax = 100;
/** The prefix of attributes that name a project and an environment from which an application has reported. */
export const usagePrefix = 'in:';

/** Returns a predicate for known applications. It adds new ones until the limit is reached. */
export async function loadKnownApplications(
  request: Request,
  { sdkType }: Reporter,
): Promise<(appName: string) => boolean> {
  const quota = await loadQuota(request, usageKeys.applicationsSeen());
  return (appName) => quota.tryAdd(usageKeys.applicationSeen(appName), limits[sdkType].applications);
}

/** A report of an application. */
interface Report {
  readonly reporter: Reporter;
  readonly registration: ClientRegistration;
  readonly now: Date;
}

/**
 * Records the report of an application and of its instance.
 * @returns true if the application has to be announced: at its first report, and then once an hour, since it can have been
 * deleted.
 */
export async function recordApplication(
  request: Request,
  buffer: UsageBuffer,
  { reporter: { scope, address, sdkType, sdk: sdkInHeader }, registration, now }: Report,
): Promise<boolean> {
  const { appName, instanceId, sdkVersion, strategies } = registration;
  const sdk = parseText(sdkVersion) ?? parseText(sdkInHeader);
  const isServer = sdkType === 'backend' && Array.isArray(strategies);
  const strategyNames = isServer ? strategies.filter((name) => parseText(name) !== undefined) : [];
  const { environment } = scope;
  const seen = (seconds: number) => ({ seenAt: now.toISOString(), expiresAtSeconds: computeExpiry(seconds, now) });
  buffer.recordSeen(usageKeys.applicationSeen(appName), seen(applicationSeconds), {
    ...(sdk !== undefined && { sdkVersion: sdk }),
    ...(strategyNames.length > 0 && { strategies: JSON.stringify(strategyNames.slice(0, strategiesMax)) }),
    ...Object.fromEntries(scope.projects.map((project) => [`${usagePrefix}${project}#${environment}`, 1])),
  });
  if (sdk !== undefined && buffer.isDue(`${sdk}\n${appName}`, { afterMs: useMs })) {
    const key = usageKeys.applicationSdk(sha256(`${sdk}\n${appName}`).slice(0, 32));
    const hasRoom = (await loadQuota(request, usageKeys.applicationSdks())).tryAdd(key, limits[sdkType].sdks);
    if (hasRoom) buffer.set(key, { ...seen(instanceSeconds), sdkVersion: sdk, appName });
  }
  const instance = parseText(instanceId);
  if (instance !== undefined) {
    const key = usageKeys.applicationInstance(appName, environment, instance);
    const hasRoom = (await loadQuota(request, usageKeys.allInstances(appName))).tryAdd(key, limits[sdkType].instances);
    const properties = { address, sdkType, ...(sdk !== undefined && { sdkVersion: sdk }), ...originOf(scope.projects) };
    if (hasRoom) buffer.recordSeen(key, seen(instanceSeconds), properties);
  }
  return buffer.isDue(`news\n${appName}`, { afterMs: useMs });
}

interface UsedFeature {
  readonly appName: string;
  readonly featureName: string;
  /** The project of the feature; undefined for an unknown feature. */
  readonly project: string | undefined;
  readonly origin: Readonly<Record<string, number>>;
}

/** Records that an application has used a feature. */
export function recordUse(
  buffer: UsageBuffer,
  { environment }: TokenScope,
  { appName, featureName, project, origin }: UsedFeature,
  now: Date,
): void {
  const seen = { seenAt: now.toISOString(), expiresAtSeconds: computeExpiry(useSeconds, now) };
  buffer.recordUse(usageKeys.applicationFeature(appName, environment, featureName), seen, origin);
  if (project !== undefined) buffer.recordUse(usageKeys.projectApplication(project, environment, appName), seen);
}

/** Counts the ignored parts of an application's reports, to show people why some of its use is missing. */
export function recordDroppedParts(buffer: UsageBuffer, appName: string, droppedParts: number, now: Date): void {
  if (droppedParts === 0) return;
  // The application can have been deleted since it was recorded, and the item must expire in any case.
  const expiresAtSeconds = computeExpiry(applicationSeconds, now);
  buffer.count(usageKeys.applicationSeen(appName), { droppedParts }, { expiresAtSeconds });
}

function parseText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > textBytesMax) return undefined;
  return value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
