import type { PlannedKind } from '../../../lib/imports/migration/plan.ts';
import type { Remark } from '../../../lib/imports/migration/reading.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { shortenToLine } from '../../../lib/values/shorten-to-line.ts';

interface Outcome {
  readonly source: Pick<SourceContent, 'missing'>;
  readonly kinds: readonly PlannedKind[];
}

/** The number of names in a line. --json lists all. */
const maxNames = 5;
const maxRemarks = 5;
const maxLength = 60;

/** Returns the plan, short enough for one screen: counts by kind with the first names, and what cannot be moved, with reasons. */
export function formatPlan(outcome: Outcome): string[] {
  return linesOf(outcome, { created: 'to create', changed: 'to change' });
}

/** Returns the result, in the same form as the plan. */
export function formatResult(outcome: Outcome): string[] {
  return linesOf(outcome, { created: 'created', changed: 'changed' });
}

type Verbs = Readonly<Record<'created' | 'changed', string>>;

function linesOf({ source: { missing }, kinds }: Outcome, verbs: Verbs): string[] {
  const shown = kinds.filter(
    ({ created, changed, unchanged }) => created.length + changed.length + unchanged.length > 0,
  );
  return [
    ...shown.flatMap((kind) => kindLines(kind, verbs)),
    ...remarkLines('Not moved:', kinds, 'refused'),
    ...remarkLines('Notes:', kinds, 'remarks'),
    ...(missing.length > 0 ? ['Not shown by the server:'] : []),
    ...limit([...Map.groupBy(missing, ({ consequence }) => consequence)], ([consequence, reads]) => {
      const [first] = reads;
      const more = reads.length > 1 ? `, and ${reads.length - 1} more` : '';
      return `  ${first?.path} (${first?.status}${more}): ${consequence}`;
    }),
  ];
}

function kindLines({ kind, created, changed, unchanged }: PlannedKind, verbs: Verbs): string[] {
  const parts = [
    ...(created.length > 0 ? [`${created.length} ${verbs.created} (${namesOf(created)})`] : []),
    ...(changed.length > 0 ? [`${changed.length} ${verbs.changed} (${namesOf(changed)})`] : []),
    ...(unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []),
  ];
  return [`${kind}: ${parts.join(', ')}`];
}

function remarkLines(title: string, kinds: readonly PlannedKind[], property: 'refused' | 'remarks'): string[] {
  const all = kinds.flatMap((kind) => kind[property].map((remark) => ({ kind: kind.kind, ...remark })));
  const byReason = [...Map.groupBy(all, ({ kind, reason }) => `${kind}\n${reason}`).values()];
  if (byReason.length === 0) return [];
  return [
    title,
    ...limit(byReason, (group: readonly (Remark & { kind: string })[]) => {
      const [first] = group;
      return `  ${first?.kind}: ${namesOf(group.map(({ name }) => name))}: ${first?.reason}`;
    }),
  ];
}

function limit<T>(things: readonly T[], lineOf: (thing: T) => string): string[] {
  const more = things.length - maxRemarks;
  return [...things.slice(0, maxRemarks).map(lineOf), ...(more > 0 ? [`  and ${more} more, listed with --json`] : [])];
}

function namesOf(names: readonly string[]): string {
  const shown = names
    .slice(0, maxNames)
    .map((name) => shortenToLine(name.length > maxLength ? `${name.slice(0, maxLength)}…` : name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
