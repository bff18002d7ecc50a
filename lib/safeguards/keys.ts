import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys of the evidence of safeguards. */

/** The last known state of a CloudWatch alarm. Names have at most 255 characters. */
export const alarmState = (alarm: string) => itemKey('CLOUDWATCH_ALARMS', alarm);
export const alarmStates = (): Partition => ({ pk: 'CLOUDWATCH_ALARMS' });

/** The token for signals to a safeguard, and the last signal. It is deleted with the feature. */
export const signal = (feature: string, environment: string, safeguard: string) =>
  itemKey(`FEATURE#${feature}`, `SIGNAL#${environment}#${safeguard}`);
