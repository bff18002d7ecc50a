import type { Event } from '../../../../lib/events/event-schema.ts';
import { type AnsweredCall, outcomeOf } from '../history.ts';
import type { Anomaly } from './anomaly.ts';

/** Finds the call that made an event: the only one that its author had under way at its time. */
export class Authors {
  readonly anomalies: Anomaly[] = [];
  readonly #makers = new Map<Event, AnsweredCall>();
  readonly #eventsOf = new Map<AnsweredCall, Event[]>();

  constructor(calls: readonly AnsweredCall[], events: readonly Event[]) {
    const callsOf = Map.groupBy(calls, ({ client }) => client);
    for (const event of events) {
      const time = Date.parse(event.createdAt);
      const underWay = (callsOf.get(event.createdBy) ?? []).filter(
        ({ beganAt, endedAt }) => beganAt <= time && time <= endedAt,
      );
      // If several calls share a key, the refused ones report no event.
      const maker = underWay.find((call) => outcomeOf(call) !== 'refused') ?? underWay[0];
      if (maker === undefined) {
        this.anomalies.push({ message: `Nobody asked for the event ${JSON.stringify(event)}.`, calls: [] });
      } else {
        this.#makers.set(event, maker);
        this.#eventsOf.set(maker, [...(this.#eventsOf.get(maker) ?? []), event]);
      }
    }
  }

  makerOf(event: Event): AnsweredCall | undefined {
    return this.#makers.get(event);
  }

  /** Returns all events of a call, of its features and of the service. */
  eventsOf(call: AnsweredCall): readonly Event[] {
    return this.#eventsOf.get(call) ?? [];
  }
}
