import { isReportVisible } from '../../features/use/origin.ts';
import type { Request } from '../../request.ts';
import { queryAll, queryPages } from '../../store/read.ts';
import { isUnexpired } from '../../values/time.ts';
import * as usageKeys from '../keys.ts';

/** A process of an application that has reported within a day. */
export interface Instance {
  readonly environment: string;
  readonly instanceId: string;
  readonly clientIp: string;
  readonly sdkVersion?: string;
  readonly sdkType?: 'backend' | 'frontend';
  readonly lastSeen: string;
}

interface InstanceItem {
  readonly sk: string;
  readonly seenAt: string;
  readonly address: string;
  readonly sdkVersion?: string;
  readonly sdkType?: 'backend' | 'frontend';
  readonly expiresAtSeconds: number;
}

/**
 * Lists the instances of an application that have reported within a day and are visible to the caller, the latest first.
 * @param max the most instances to read; which ones they are is left to the store.
 */
export async function listInstances(
  request: Request,
  appName: string,
  environment?: string,
  max = Number.POSITIVE_INFINITY,
): Promise<Instance[]> {
  const partition =
    environment === undefined ? usageKeys.allInstances(appName) : usageKeys.applicationInstances(appName, environment);
  const items: InstanceItem[] = [];
  for await (const page of queryPages<InstanceItem>(request, partition)) {
    items.push(...page);
    if (items.length >= max) break;
  }
  return items
    .slice(0, max)
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .map(({ sk, seenAt, address, sdkVersion, sdkType }) => {
      const [environmentName = '', ...instanceId] = sk.split('#');
      return {
        environment: environmentName,
        // The id of an instance can contain a #.
        instanceId: instanceId.join('#'),
        clientIp: address,
        ...(sdkVersion !== undefined && { sdkVersion }),
        ...(sdkType !== undefined && { sdkType }),
        lastSeen: seenAt,
      };
    })
    .toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
}

/** Lists the names of features, also unknown ones, that an application has used within two days, by environment. */
export async function listUsedFeatures(request: Request, appName: string): Promise<Map<string, string[]>> {
  const items = await queryAll<InstanceItem>(request, usageKeys.applicationFeatures(appName));
  const used = items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .map(({ sk }) => sk.split('#'));
  return new Map(
    [...Map.groupBy(used, ([environment = '']) => environment)].map(([environment, pairs]) => [
      environment,
      pairs.map(([, feature = '']) => feature),
    ]),
  );
}

/** Lists the environments in which applications have used features of a project within two days, by application. */
export async function listApplicationsOf(request: Request, project: string): Promise<Map<string, string[]>> {
  const items = await queryAll<InstanceItem>(request, usageKeys.projectApplications(project));
  const uses = items.filter(isUnexpired).map(({ sk }) => {
    const [environment = '', ...appName] = sk.split('#');
    return { environment, appName: appName.join('#') };
  });
  return new Map(
    [...Map.groupBy(uses, ({ appName }) => appName)].map(([appName, ownUses]) => [
      appName,
      ownUses.map(({ environment }) => environment),
    ]),
  );
}

interface SdkItem extends InstanceItem {
  readonly sdkVersion: string;
  readonly appName: string;
}

/** Lists the SDK versions that have reported within a day, each with its applications. */
export async function listSdks(request: Request): Promise<{ sdkVersion: string; applications: string[] }[]> {
  const items = (await queryAll<SdkItem>(request, usageKeys.applicationSdks())).filter(isUnexpired);
  return [...Map.groupBy(items, ({ sdkVersion }) => sdkVersion)]
    .map(([sdkVersion, group]) => ({ sdkVersion, applications: group.map(({ appName }) => appName).toSorted() }))
    .toSorted((a, b) => (a.sdkVersion < b.sdkVersion ? -1 : 1));
}
