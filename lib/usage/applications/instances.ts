import { isReportVisible } from '../../features/use/origin.ts';
import type { Request } from '../../request.ts';
import { queryAll } from '../../store/read.ts';
import { isUnexpired } from '../../values/time.ts';
import * as usageKeys from '../keys.ts';

/** A process that has reported as an application within a day. */
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
 * The instances of an application that have reported within a day for a project that the caller may know of, the last one
 * first.
 */
export async function listInstances(request: Request, appName: string, environment?: string): Promise<Instance[]> {
  const partition =
    environment === undefined ? usageKeys.allInstances(appName) : usageKeys.applicationInstances(appName, environment);
  const items = await queryAll<InstanceItem>(request, partition);
  return items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .map(({ sk, seenAt, address, sdkVersion, sdkType }) => {
      const [of = '', ...instance] = sk.split('#');
      return {
        environment: of,
        // An id may have a # itself.
        instanceId: instance.join('#'),
        clientIp: address,
        ...(sdkVersion !== undefined && { sdkVersion }),
        ...(sdkType !== undefined && { sdkType }),
        lastSeen: seenAt,
      };
    })
    .toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
}

/** Names of features, by environment, that an application has used within two days, whether they are there or not. */
export async function listUsedFeatures(request: Request, appName: string): Promise<Map<string, string[]>> {
  const items = await queryAll<InstanceItem>(request, usageKeys.applicationFeatures(appName));
  const used = items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .map(({ sk }) => sk.split('#'));
  return new Map(
    [...Map.groupBy(used, ([environment = '']) => environment)].map(([environment, each]) => [
      environment,
      each.map(([, feature = '']) => feature),
    ]),
  );
}

/** The environments in which applications have used features of a project within two days, by application, in order. */
export async function listApplicationsOf(request: Request, project: string): Promise<Map<string, string[]>> {
  const items = await queryAll<InstanceItem>(request, usageKeys.projectApplications(project));
  const places = items.filter(isUnexpired).map(({ sk }) => {
    const [environment = '', ...appName] = sk.split('#');
    return { environment, appName: appName.join('#') };
  });
  return new Map(
    [...Map.groupBy(places, ({ appName }) => appName)].map(([appName, of]) => [
      appName,
      of.map(({ environment }) => environment),
    ]),
  );
}

interface SdkItem extends InstanceItem {
  readonly sdkVersion: string;
  readonly appName: string;
}

/** The versions of SDKs that applications have reported with within a day, each with its applications, by name. */
export async function listSdks(request: Request): Promise<{ sdkVersion: string; applications: string[] }[]> {
  const items = (await queryAll<SdkItem>(request, usageKeys.applicationSdks())).filter(isUnexpired);
  return [...Map.groupBy(items, ({ sdkVersion }) => sdkVersion)]
    .map(([sdkVersion, of]) => ({ sdkVersion, applications: of.map(({ appName }) => appName).toSorted() }))
    .toSorted((a, b) => (a.sdkVersion < b.sdkVersion ? -1 : 1));
}
