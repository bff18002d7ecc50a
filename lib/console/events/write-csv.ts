import type { ShownEvent } from '../../screens/shown-event-schema.ts';
import { tellEvent } from '../words/events.ts';

const columns = ['id', 'createdAt', 'person', 'type', 'what', 'project', 'environment', 'flag'] as const;

/** Writes events as CSV, with a row of column names. */
export function writeEventsAsCsv(events: readonly ShownEvent[]): string {
  const rows = events.map((event) => [
    ...[String(event.id), event.createdAt, event.author, event.type, tellEvent(event)],
    ...[event.project ?? '', event.environment ?? '', event.featureName ?? ''],
  ]);
  return [columns, ...rows].map((row) => row.map(writeCell).join(',')).join('\r\n');
}

/** Writes a cell. A quote before a text that begins like a formula keeps spreadsheets from evaluating it. */
function writeCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
