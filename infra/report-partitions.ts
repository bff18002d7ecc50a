import * as keys from '../lib/store/keys.ts';

const any = '*';

/** The partition of the calls that each function counts. */
export const trafficPartitions: readonly string[] = [keys.traffic(any).pk];

/**
 * The partitions that reports of SDKs are written to: what they count, applications, and features whose life goes on by their
 * use, with their events. In patterns of IAM.
 */
export const reportPartitions: readonly string[] = [
  ...new Set(
    [
      keys.usage(any, any, any, any),
      keys.featureSeen(any, any, any),
      keys.projectSeen(any),
      keys.customMetric(any),
      keys.traffic(any),
      keys.unknownFlag(any, any, any),
      keys.applicationSeen(any),
      keys.applicationFeature(any, any, any),
      keys.projectApplication(any, any, any),
      keys.applicationSdk(any),
      keys.applicationInstance(any, any, any),
      keys.feature(any),
      keys.listedFeature(any, any),
      keys.serviceEvents(any, 0),
      keys.counter('event'),
    ].map(({ pk }) => pk),
  ),
];

/** The partitions of tokens, of which only the time of use is written. */
export const tokenPartitions: readonly string[] = [keys.token(any).pk];

/** Partitions that no function of SDKs reads: how people sign in, by ids that keys pad. */
export const signInPartitions: readonly string[] = [
  ...['SIGN_IN#*', 'SESSIONS#*'],
  keys.signOn(any).pk,
  keys.invited(any, 0).pk,
  keys.attempts(any).pk,
];
