import type { PlannedKind, Remark } from '../../../lib/imports/migration/plan.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { singleLine } from '../../../lib/sign-in/send-mail.ts';

interface Outcome {
  readonly source: Pick<SourceContent, 'missing'>;
  readonly kinds: readonly PlannedKind[];
}

/** Names that a line shows; --json has all of them. */
const namesShown = 5;
const remarksShown = 5;
const lengthShown = 60;

/** Returns the plan on one screen: counts by kind with the first names, and what does not move, with the reasons. */
export function planLines(outcome: Outcome): string[] {
  return linesOf(outcome, { created: 'to create', changed: 'to change' });
}

/** Returns the result in the form of the plan. */
export function resultLines(outcome: Outcome): string[] {
  return linesOf(outcome, { created: 'created', changed: 'changed' });
}

type Words = Readonly<Record<'created' | 'changed', string>>;

function linesOf({ source: { missing }, kinds }: Outcome, words: Words): string[] {
  const shown = kinds.filter(({ created, changed, left }) => created.length + changed.length + left.length > 0);
  return [
    ...shown.flatMap((kind) => kindLines(kind, words)),
    ...remarkLines('Not moved:', kinds, 'refused'),
    ...remarkLines('To know:', kinds, 'remarks'),
    ...(missing.length > 0 ? ['Not shown by the server:'] : []),
    ...limited([...Map.groupBy(missing, ({ consequence }) => consequence)], (each) => {
      const [consequence, reads] = each;
      const [first] = reads;
      const more = reads.length > 1 ? `, and ${reads.length - 1} more` : '';
      return `  ${first?.path} (${first?.status}${more}): ${consequence}`;
    }),
  ];
}

function kindLines({ kind, created, changed, left }: PlannedKind, words: Words): string[] {
  const parts = [
    ...(created.length > 0 ? [`${created.length} ${words.created} (${namesOf(created)})`] : []),
    ...(changed.length > 0 ? [`${changed.length} ${words.changed} (${namesOf(changed)})`] : []),
    ...(left.length > 0 ? [`${left.length} left`] : []),
  ];
  return [`${kind}: ${parts.join(', ')}`];
}

function remarkLines(title: string, kinds: readonly PlannedKind[], which: 'refused' | 'remarks'): string[] {
  const all = kinds.flatMap((kind) => kind[which].map((remark) => ({ kind: kind.kind, ...remark })));
  const byReason = [...Map.groupBy(all, ({ kind, reason }) => `${kind}\n${reason}`).values()];
  if (byReason.length === 0) return [];
  return [
    title,
    ...limited(byReason, (alike: readonly (Remark & { kind: string })[]) => {
      const [first] = alike;
      return `  ${first?.kind}: ${namesOf(alike.map(({ name }) => name))}: ${first?.reason}`;
    }),
  ];
}

function limited<T>(things: readonly T[], lineOf: (thing: T) => string): string[] {
  const more = things.length - remarksShown;
  return [
    ...things.slice(0, remarksShown).map(lineOf),
    ...(more > 0 ? [`  and ${more} more, which --json lists`] : []),
  ];
}

function namesOf(names: readonly string[]): string {
  const shown = names
    .slice(0, namesShown)
    .map((name) => singleLine(name.length > lengthShown ? `${name.slice(0, lengthShown)}…` : name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
