import type { DeathReport } from './deaths.ts';
import type { CrashOutcome } from './outcome.ts';
import type { CrashPlan } from './plan.ts';
import { type Death, ordinalOf } from './protocol.ts';

const signs: Readonly<Record<CrashOutcome, string>> = { unchanged: '·', partly: '◐', complete: '●' };

const wrong = '✗';

export const legend = [
  'Each call to the store has two signs: for a death before it went out, and for one after it was carried out.',
  `What was left: ${signs.unchanged} nothing of the request, ${signs.partly} some features whole and others not at all, ${signs.complete} all of it.`,
  `Sent again, each request ended as if nothing had disturbed it, except where it says ${wrong}.`,
].join('\n');

/** Returns a line of the matrix: the fate of a request by the death of its process, or of its store, at each call. */
export function rowOf(
  title: string,
  victim: Death['victim'],
  { calls }: CrashPlan,
  reports: readonly DeathReport[],
): string {
  const cells = calls.map((name, index) => ({
    name,
    signs: reports
      .filter(({ death }) => death.call === name && death.place === ordinalOf(calls.slice(0, index + 1)))
      .map(({ outcome, problems }) => (problems.length > 0 ? wrong : signs[outcome])),
  }));
  const tried = cells.filter((cell) => cell.signs.length > 0);
  const texts = tried.map(({ name, signs }, index) => {
    const isSame = tried[index - 1]?.name === name;
    return `${isSame ? '' : ` ${name}`} ${signs.join('')}`;
  });
  return `${title.padEnd(58)} ${victim.padEnd(7)}${texts.join('')}`;
}

/** Returns a line for each problem, with the point where it happened. */
export function problemLines(title: string, { death, problems }: DeathReport): string[] {
  const { victim, moment, call, place } = death;
  return problems.map(
    (problem) => `${wrong} ${title}, death of the ${victim} ${moment} ${call} number ${place}: ${problem}`,
  );
}

/** Sums up all reports. */
export function totalOf(reports: readonly DeathReport[]): string {
  const count = (outcome: CrashOutcome) => reports.filter((report) => report.outcome === outcome).length;
  const failures = reports.filter(({ problems }) => problems.length > 0).length;
  return (
    `${reports.length} deaths: ${count('unchanged')} left nothing, ${count('partly')} some whole features, ` +
    `${count('complete')} all of the request; ${failures} were followed by something wrong.`
  );
}
