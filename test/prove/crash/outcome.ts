import { lastOfAll, mails, type NormalForm, progress } from './normal-form.ts';

export type CrashOutcome = 'unchanged' | 'complete' | 'partly';

/** States before and after an undisturbed run of a request. */
export interface Course {
  readonly before: NormalForm;
  readonly after: NormalForm;
  /** True if it takes several transactions, so that some of the features may be there without the others. */
  readonly inParts: boolean;
  /** True if it takes several transactions in sequence: sending it again completes an interrupted one. */
  readonly inSteps: boolean;
}

/**
 * Finds the stage that an interrupted request has reached. Each owner must own everything as before, or everything as
 * after; and all owners the same, unless the request takes several transactions: a change request then notes its progress, and
 * is applied after all else. Between the steps of a request, an owner may own some of it.
 */
export function outcomeAfter(
  now: NormalForm,
  { before, after, inParts, inSteps }: Course,
): { outcome: CrashOutcome; problems: string[] } {
  const problems: string[] = [];
  let isBetween = false;
  const isAsBefore = new Set<string>();
  const isAsAfter = new Set<string>();
  for (const owner of new Set([...now.keys(), ...before.keys(), ...after.keys()])) {
    const was = same(now, before, owner);
    const becomes = same(now, after, owner);
    if (was && !becomes) isAsBefore.add(owner);
    if (becomes && !was) isAsAfter.add(owner);
    if (was || becomes) continue;
    if (inSteps || owner === mails || (inParts && owner === progress)) isBetween = true;
    else problems.push(`half applied: ${differenceIn(owner, after, now)}`);
  }
  if (inSteps && isBetween) return { outcome: 'partly', problems };
  if (isAsAfter.size === 0 && !isBetween) return { outcome: 'unchanged', problems };
  if (isAsBefore.size === 0 && !isBetween) return { outcome: 'complete', problems };
  const [first] = isAsBefore;
  // The end of a request may come last, and then nothing else is missing.
  const isBeforeEnd = [...isAsBefore].every((owner) => lastOfAll.includes(owner));
  if (!inParts && !inSteps && !isBeforeEnd) problems.push(`torn apart: ${differenceIn(first ?? '', after, now)}`);
  const early = [...lastOfAll, progress].filter(
    (owner) => isAsAfter.has(owner) && ![...isAsBefore].every((each) => lastOfAll.includes(each)),
  );
  problems.push(...early.map((owner) => `the ${owner} is there, but the ${first} is not`));
  return { outcome: 'partly', problems };
}

/** Lists the differences from the expected state, one line per owner. */
export function differences(expected: NormalForm, now: NormalForm): string[] {
  const owners = [...new Set([...expected.keys(), ...now.keys()])];
  return owners.filter((owner) => !same(expected, now, owner)).map((owner) => differenceIn(owner, expected, now));
}

function same(a: NormalForm, b: NormalForm, owner: string): boolean {
  return JSON.stringify(a.get(owner)) === JSON.stringify(b.get(owner));
}

const shown = 400;

function differenceIn(owner: string, expected: NormalForm, now: NormalForm): string {
  const wanted = expected.get(owner) ?? [];
  const found = now.get(owner) ?? [];
  const list = (sign: string, texts: readonly string[]) =>
    texts.map((text) => `\n      ${sign} ${text.slice(0, shown)}`);
  return [owner, ...list('missing:', without(wanted, found)), ...list('too much:', without(found, wanted))].join('');
}

/** Returns the entries that a list has more often than another. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((text) => {
    const index = left.indexOf(text);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
