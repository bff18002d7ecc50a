import { type AnsweredCall, outcomeOf } from '../history.ts';
import type { Anomaly } from './anomaly.ts';

/**
 * Merges calls that were sent with one key into one: its effects happen between the first begin and the first answer
 * that reports them. A refused call does nothing and leaves the key free, so it counts by itself.
 */
export function asOneCall(calls: readonly AnsweredCall[]): {
  readonly calls: AnsweredCall[];
  readonly anomalies: Anomaly[];
} {
  const anomalies: Anomaly[] = [];
  const merged = [...Map.groupBy(calls, ({ key, number }) => key ?? number).values()].flatMap((same) => {
    const refused = same.filter((call) => outcomeOf(call) === 'refused');
    const others = same.filter((call) => outcomeOf(call) !== 'refused');
    const answered = others.filter((call) => outcomeOf(call) === 'done').toSorted((a, b) => a.end - b.end);
    const first = others.toSorted((a, b) => a.begin - b.begin)[0];
    const last = answered[0] ?? others.toSorted((a, b) => b.end - a.end)[0];
    if (first === undefined || last === undefined) return refused;
    if (new Set(answered.map(({ answer: { status, text, version } }) => `${status} ${version} ${text}`)).size > 1) {
      anomalies.push({ message: `Calls of one key, ${first.key}, were answered differently.`, calls: answered });
    }
    const { number, begin, beganAt } = first;
    return [...refused, { ...last, number, begin, beganAt }];
  });
  return { calls: merged, anomalies };
}

/** Finds repeats of completed calls that were refused: they should get the earlier reply, and not be decided again. */
export function refusedRepeats(calls: readonly AnsweredCall[], happened: (call: AnsweredCall) => boolean): Anomaly[] {
  const carriedOut = new Map(calls.filter(happened).map((call) => [call.key, call]));
  return calls.flatMap((call) => {
    const same = call.key === undefined ? undefined : carriedOut.get(call.key);
    if (outcomeOf(call) !== 'refused' || same === undefined || same.end > call.begin) return [];
    return [
      {
        message: `Call ${call.number} was refused, but call ${same.number} of its key had been carried out.`,
        calls: [same, call],
      },
    ];
  });
}
