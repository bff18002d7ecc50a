import * as eventKeys from '../lib/events/keys.ts';
import * as featureKeys from '../lib/features/keys.ts';
import * as useKeys from '../lib/features/use/keys.ts';
import * as tokenKeys from '../lib/identity/tokens/keys.ts';
import * as signInKeys from '../lib/sign-in/keys.ts';
import * as keys from '../lib/store/keys.ts';
import * as usageKeys from '../lib/usage/keys.ts';

const any = '*';

/** The partition with the number of calls, which every function writes. */
export const trafficPartitions: readonly string[] = [usageKeys.traffic(any).pk];

/**
 * The partitions that the reports of SDKs are written to: metrics, applications, and features whose life-cycle stage changes with
 * their use, with their events. These are patterns of IAM.
 */
export const reportPartitions: readonly string[] = [
  ...new Set(
    [
      useKeys.usage(any, any, any, any),
      useKeys.featureSeen(any, any, any),
      useKeys.projectSeen(any),
      usageKeys.customMetric(any),
      usageKeys.impactMetric(any),
      usageKeys.impactPeriod(any, 'MINUTE', any),
      usageKeys.featureMinute(any, any, any),
      usageKeys.traffic(any),
      usageKeys.unknownFlag(any, any, any),
      usageKeys.applicationSeen(any),
      usageKeys.applicationFeature(any, any, any),
      usageKeys.projectApplication(any, any, any),
      usageKeys.projectWeek(any, any),
      usageKeys.applicationSdk(any),
      usageKeys.applicationInstance(any, any, any),
      featureKeys.feature(any),
      featureKeys.listedFeature(any, any),
      eventKeys.serviceEvents(any, 0),
      keys.counter('event'),
    ].map(({ pk }) => pk),
  ),
];

/** The partitions of tokens. Only the time of the last use is written. */
export const tokenPartitions: readonly string[] = [tokenKeys.token(any).pk];

/** Partitions that no function of SDKs reads: sign-in data. `0` is an id that the key pads. */
export const signInPartitions: readonly string[] = [
  ...['SIGN_IN#*', 'SESSIONS#*'],
  signInKeys.signOn(any).pk,
  signInKeys.invited(any, 0).pk,
  signInKeys.attempts(any).pk,
];
