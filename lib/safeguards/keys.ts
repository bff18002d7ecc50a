import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys of the evidence of safeguards. */

/** The last known state of a CloudWatch alarm. Names have at most 255 characters. */
export const alarmState = (alarm: string) => itemKey('CLOUDWATCH_ALARMS', alarm);
export const alarmStates = (): Partition => ({ pk: 'CLOUDWATCH_ALARMS' });
