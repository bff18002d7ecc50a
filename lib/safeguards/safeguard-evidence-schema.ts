import * as v from 'valibot';
import { isJsonObject } from '../values/json.ts';
import { count, object, text, timestamp } from '../values/primitives.ts';

/** The evidence of the safeguards of a feature in an environment. */
export const safeguardEvidence = object({
  safeguards: v.array(
    object({
      id: text,
      /** The id of the plan that it belongs to; null for a safeguard of the environment. */
      releasePlanId: v.nullable(text),
      metricName: text,
      /** `idle` while there is nothing to stop; `no data` without fresh evidence, so that it does not trigger. */
      state: v.picklist(['idle', 'no data', 'quiet', 'triggered']),
      operator: v.picklist(['>', '<']),
      threshold: v.number(),
      /** Null if it is unknown. */
      value: v.nullable(v.number()),
      /** The time of the latest data, and how long ago that is. */
      measuredAt: v.nullable(timestamp),
      ageSeconds: v.nullable(count),
      /** The reason why the value is unknown, or the text of a signal or an alarm. */
      reason: v.nullable(text),
    }),
  ),
});
export type SafeguardEvidenceView = v.InferOutput<typeof safeguardEvidence>['safeguards'][number];

/** The CloudWatch alarms that safeguards can watch. */
export const safeguardAlarms = object({
  alarms: v.array(
    object({ name: text, state: v.picklist(['OK', 'ALARM', 'INSUFFICIENT_DATA']), changedAt: timestamp }),
  ),
});
export type ListedAlarm = v.InferOutput<typeof safeguardAlarms>['alarms'][number];

/** The token for signals to a safeguard. */
export const signalToken = object({ token: text });

/** The most characters of a reason; more are cut off. */
const reasonMax = 500;

/**
 * A signal: `reason` says what happened, and `status: "resolved"` that it is over. The bodies of Alertmanager and Grafana are accepted as
 * they are; everything else in a body is ignored.
 */
export const safeguardSignal = v.pipe(
  object({
    reason: v.exactOptional(v.unknown()),
    status: v.exactOptional(v.unknown()),
    title: v.exactOptional(v.unknown()),
    message: v.exactOptional(v.unknown()),
    commonAnnotations: v.exactOptional(v.unknown()),
  }),
  v.transform(({ status, reason, title, message, commonAnnotations }) => {
    const { summary, description } = isJsonObject(commonAnnotations) ? commonAnnotations : {};
    const texts = [reason, title, summary, description, message].filter(isFilledText);
    const isOver = typeof status === 'string' && /^(?:resolved|ok)$/i.test(status);
    const clean = (texts[0] ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, reasonMax).toWellFormed();
    return { state: isOver ? ('off' as const) : ('on' as const), reason: clean };
  }),
);

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
