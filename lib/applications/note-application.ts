import { createHash } from 'node:crypto';
import type { ClientRegistration } from '../schemas/client-metrics.ts';
import * as keys from '../table/keys.ts';
import type { TallyMemory } from '../usage/tally-memory.ts';
import type { TokenScope } from '../users/token.ts';

/** An SDK that reports: what its token may read, where it is, and whether that is a server or a page. */
export interface Reporter {
  readonly scope: TokenScope;
  readonly address: string;
  readonly sdkType: 'backend' | 'frontend';
  /** Its name and version, of its header `unleash-sdk`: those in pages send it there only. */
  readonly sdk?: string | undefined;
}

/** How long an instance is known after its last report, and what it uses, in seconds. */
const instanceSeconds = 24 * 60 * 60;
const useSeconds = 48 * 60 * 60;
/** No text that an SDK says of itself is longer, in bytes. */
const textBytesMax = 255;
const strategiesMax = 100;
/** Before a project and an environment in which an application has reported, among the attributes of its item. */
export const usagePrefix = 'in:';

/**
 * Takes note of an application and of the instance of it that reports.
 * @returns whether anything new is said of the application, so that it may be an unknown one.
 */
export function noteApplication(
  memory: TallyMemory,
  { scope, address, sdkType, sdk: sdkInHeader }: Reporter,
  { appName, instanceId, sdkVersion, strategies }: ClientRegistration,
  now: Date,
): boolean {
  const seen = { seenAt: now.toISOString() };
  const sdk = textOf(sdkVersion) ?? textOf(sdkInHeader);
  const known = Array.isArray(strategies) ? strategies.filter((each) => textOf(each) !== undefined) : [];
  const { environment } = scope;
  const expires = (seconds: number) => ({ ...seen, expiresAtSeconds: Math.floor(now.getTime() / 1_000) + seconds });
  const isNew = memory.note(keys.applicationSeen(appName), seen, {
    ...(sdk !== undefined && { sdkVersion: sdk }),
    ...(known.length > 0 && { strategies: JSON.stringify(known.slice(0, strategiesMax)) }),
    ...Object.fromEntries(scope.projects.map((project) => [`${usagePrefix}${project}#${environment}`, 1])),
  });
  if (sdk !== undefined && memory.isDue(`${sdk}\n${appName}`)) {
    const hash = createHash('sha256').update(`${sdk}\n${appName}`).digest('hex').slice(0, 32);
    memory.set(keys.applicationSdk(hash), { ...expires(instanceSeconds), sdkVersion: sdk, appName });
  }
  const instance = textOf(instanceId);
  if (instance !== undefined) {
    memory.note(keys.applicationInstance(appName, environment, instance), expires(instanceSeconds), {
      address,
      sdkType,
      ...(sdk !== undefined && { sdkVersion: sdk }),
    });
  }
  return isNew;
}

/** Takes note that an application has used a feature, of a project where it is one that is there. */
export function noteUse(
  memory: TallyMemory,
  { environment }: TokenScope,
  { appName, featureName, project }: { appName: string; featureName: string; project: string | undefined },
  now: Date,
): void {
  const seen = {
    seenAt: now.toISOString(),
    expiresAtSeconds: Math.floor(now.getTime() / 1_000) + useSeconds,
  };
  memory.note(keys.applicationFeature(appName, environment, featureName), seen);
  if (project !== undefined) memory.note(keys.projectApplication(project, environment, appName), seen);
}

/** Counts the parts of an application's reports that cannot be right, for those who wonder where they are. */
export function noteDropped(memory: TallyMemory, appName: string, droppedParts: number): void {
  if (droppedParts > 0) memory.count(keys.applicationSeen(appName), { droppedParts });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > textBytesMax) return undefined;
  return value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
