import type { StoredEvent } from '../../harness/items.ts';

export const eventsHead = ['| Operation | Events |', '|---|---|'];

/** Returns the events that a request adds as a row of the table of events. */
export function eventsRow(operationId: string, events: readonly StoredEvent[]): string {
  const kinds = new Set(events.map(kindOf));
  return `| ${operationId} | ${[...kinds].join(', ') || 'none'} |`;
}

/** An event with the names of what it has: `tag-deleted` (before: type, value). */
function kindOf({ type, preData, data, project, environment, featureName }: StoredEvent): string {
  const namesOf = (record: object | null) => (record === null ? null : Object.keys(record).toSorted().join(', '));
  const [before, after] = [namesOf(preData), namesOf(data)];
  const contents = before === after ? { 'before and after': after } : { before, after };
  const told = Object.entries(contents).flatMap(([when, names]) => (names === null ? [] : [`${when}: ${names}`]));
  const place = Object.entries({ project, environment, feature: featureName }).flatMap(([name, value]) =>
    value === null ? [] : [name],
  );
  const parts = [...(place.length > 0 ? [`of ${place.join(', ')}`] : []), ...told];
  return `\`${type}\`${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}
