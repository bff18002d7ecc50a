import type { Event } from '../../../../lib/events/event-schema.ts';
import { type AnsweredCall, featuresNamed, type History, outcomeOf } from '../history.ts';
import type { Anomaly } from './anomaly.ts';
import type { Authors } from './authors.ts';

/**
 * Holds the order of events, and those events that tell of no feature, to the calls that made them. That no two have one
 * number is an invariant of the store.
 */
export function checkServiceEvents(
  { featureEvents, serviceEvents }: History,
  calls: readonly AnsweredCall[],
  authors: Authors,
) {
  const anomalies: Anomaly[] = [];
  const events = [...[...featureEvents.values()].flat(), ...serviceEvents];
  const report = (message: string, ...about: readonly (AnsweredCall | undefined)[]) =>
    anomalies.push({ message, calls: about.filter((call) => call !== undefined) });

  const added = events.filter(({ type }) => type === 'feature-strategy-add');
  for (const [id, same] of Map.groupBy(added, ({ data }) => data?.id)) {
    if (same.length === 1) continue;
    report(`${same.length} strategies have the id ${id}.`, ...same.map((event) => authors.makerOf(event)));
  }
  for (const [name, list] of featureEvents) {
    const index = list.findIndex(({ id }, place) => id <= (list[place - 1]?.id ?? 0));
    const event = list[index];
    if (event !== undefined) report(`The events of ${name} do not rise at ${event.id}.`, authors.makerOf(event));
  }
  checkTags(events, authors, report);
  for (const call of calls) checkTogether(call, authors.eventsOf(call), report);
  return anomalies;
}

type Report = (message: string, ...about: readonly (AnsweredCall | undefined)[]) => void;

/** Checks that a tag becomes known once, with its first use. */
function checkTags(events: readonly Event[], authors: Authors, report: Report): void {
  const valuesOf = (type: Event['type']) =>
    Map.groupBy(
      events.filter((event) => event.type === type),
      ({ data }) => data?.value,
    );
  const created = valuesOf('tag-created');
  const used = valuesOf('feature-tagged');
  for (const value of new Set([...created.keys(), ...used.keys()])) {
    const times = created.get(value)?.length ?? 0;
    const about = [...(created.get(value) ?? []), ...(used.get(value) ?? []).slice(0, 3)];
    if (times === 1 && used.has(value)) continue;
    report(
      `The tag ${value} became known ${times} times, and was used ${used.get(value)?.length ?? 0} times.`,
      ...about.map((event) => authors.makerOf(event)),
    );
  }
}

/** Checks the events of a call; those of an import or a bulk change must have consecutive numbers. */
function checkTogether(call: AnsweredCall, events: readonly Event[], report: Report): void {
  const { request, number } = call;
  if (outcomeOf(call) === 'refused' && events.length > 0) report(`Call ${number} was refused, but made events.`, call);
  const endings = events.filter(({ type }) => type === 'features-imported').length;
  if (endings !== Number(request.kind === 'import' && events.length > 0)) {
    report(`Call ${number} made ${endings} events of a finished import.`, call);
  }
  for (const { featureName, type } of events) {
    const isNamed = featureName === null || featuresNamed(request).includes(featureName);
    if (!isNamed) report(`Call ${number} made the event ${type} of ${featureName}, which it did not name.`, call);
  }
  const isOne = request.kind === 'import' || request.kind === 'bulk off';
  const ids = events.map(({ id }) => id).toSorted((a, b) => a - b);
  if (isOne && ids.some((id, index) => index > 0 && id !== (ids[index - 1] ?? 0) + 1)) {
    report(`Call ${number} did not do all at once: its events have the numbers ${ids.join(', ')}.`, call);
  }
}
