import { originOf } from '../../features/use/origin.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { sha256 } from '../../values/sha256.ts';
import { computeExpiry } from '../../values/time.ts';
import type { ClientRegistration } from '../client-metrics-schema.ts';
import * as usageKeys from '../keys.ts';
import { loadQuota } from '../partition-quota.ts';
import { type UsageBuffer, useMs } from '../usage-buffer.ts';

/** An SDK that reports: what its token may read, where it is, and whether that is a server or a page. */
export interface Reporter {
  readonly scope: TokenScope;
  readonly address: string;
  readonly sdkType: 'backend' | 'frontend';
  /** Its name and version, of its header `unleash-sdk`: those in pages send it there only. */
  readonly sdk?: string | undefined;
}

/**
 * The most applications, pairs of an application and a version of an SDK, and instances of an application. Anybody can
 * send what a page sends: pages make nothing known any more while there is still room for servers.
 */
const limits = {
  backend: { applications: 1_000, sdks: 2_000, instances: 2_000 },
  frontend: { applications: 500, sdks: 1_000, instances: 100 },
} as const;
/** The name under which applications are counted that are too many to be known. */
export const otherApplications = 'others';
/** The seconds for which an application is known after its last report, unless somebody has described it. */
export const applicationSeconds = 30 * 24 * 60 * 60;
/** The seconds for which an instance, and what it uses, is known after its last report. */
const instanceSeconds = 24 * 60 * 60;
const useSeconds = 48 * 60 * 60;
/** No text that an SDK says of itself is longer, in bytes. */
const textBytesMax = 255;
const strategiesMax = 100;
/** Before a project and an environment in which an application has reported, among the attributes of its item. */
export const usagePrefix = 'in:';

/** Returns the applications that are known, or become so by their report, as far as there is room. */
export async function knownApplications(
  request: Request,
  { sdkType }: Reporter,
): Promise<(appName: string) => boolean> {
  const quota = await loadQuota(request, usageKeys.applicationsSeen());
  return (appName) => quota.admits(usageKeys.applicationSeen(appName), limits[sdkType].applications);
}

/** A report of an application, with its sender and its time. */
interface Report {
  readonly reporter: Reporter;
  readonly registration: ClientRegistration;
  readonly now: Date;
}

/**
 * Takes note of a known application and of the instance of it that reports.
 * @returns whether it may not have been announced yet, or may have been deleted since: at first, and once an hour.
 */
export async function noteApplication(
  request: Request,
  memory: UsageBuffer,
  { reporter: { scope, address, sdkType, sdk: sdkInHeader }, registration, now }: Report,
): Promise<boolean> {
  const { appName, instanceId, sdkVersion, strategies } = registration;
  const sdk = textOf(sdkVersion) ?? textOf(sdkInHeader);
  const isServer = sdkType === 'backend' && Array.isArray(strategies);
  const known = isServer ? strategies.filter((each) => textOf(each) !== undefined) : [];
  const { environment } = scope;
  const seen = (seconds: number) => ({ seenAt: now.toISOString(), expiresAtSeconds: computeExpiry(seconds, now) });
  memory.note(usageKeys.applicationSeen(appName), seen(applicationSeconds), {
    ...(sdk !== undefined && { sdkVersion: sdk }),
    ...(known.length > 0 && { strategies: JSON.stringify(known.slice(0, strategiesMax)) }),
    ...Object.fromEntries(scope.projects.map((project) => [`${usagePrefix}${project}#${environment}`, 1])),
  });
  if (sdk !== undefined && memory.isDue(`${sdk}\n${appName}`, useMs)) {
    const key = usageKeys.applicationSdk(sha256(`${sdk}\n${appName}`).slice(0, 32));
    const isAdmitted = (await loadQuota(request, usageKeys.applicationSdks())).admits(key, limits[sdkType].sdks);
    if (isAdmitted) memory.set(key, { ...seen(instanceSeconds), sdkVersion: sdk, appName });
  }
  const instance = textOf(instanceId);
  if (instance !== undefined) {
    const key = usageKeys.applicationInstance(appName, environment, instance);
    const isAdmitted = (await loadQuota(request, usageKeys.allInstances(appName))).admits(
      key,
      limits[sdkType].instances,
    );
    const about = { address, sdkType, ...(sdk !== undefined && { sdkVersion: sdk }), ...originOf(scope.projects) };
    if (isAdmitted) memory.note(key, seen(instanceSeconds), about);
  }
  return memory.isDue(`news\n${appName}`, useMs);
}

interface UsedFeature {
  readonly appName: string;
  readonly featureName: string;
  /** The project of the feature; undefined if there is none of that name. */
  readonly project: string | undefined;
  readonly origin: Readonly<Record<string, number>>;
}

/** Takes note that an application has used a feature. */
export function noteUse(
  memory: UsageBuffer,
  { environment }: TokenScope,
  { appName, featureName, project, origin }: UsedFeature,
  now: Date,
): void {
  const seen = { seenAt: now.toISOString(), expiresAtSeconds: computeExpiry(useSeconds, now) };
  memory.noteUse(usageKeys.applicationFeature(appName, environment, featureName), seen, origin);
  if (project !== undefined) memory.noteUse(usageKeys.projectApplication(project, environment, appName), seen);
}

/** Counts the parts of a known application's reports that were left out, for those who wonder where they are. */
export function noteDropped(memory: UsageBuffer, appName: string, droppedParts: number, now: Date): void {
  if (droppedParts === 0) return;
  // Somebody may have deleted the application since it was noted.
  const expiresAtSeconds = computeExpiry(applicationSeconds, now);
  memory.count(usageKeys.applicationSeen(appName), { droppedParts }, { expiresAtSeconds });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > textBytesMax) return undefined;
  return value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
