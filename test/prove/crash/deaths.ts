import type { Reply } from '../../harness/gateway.ts';
import type { Item } from '../../harness/items.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { normalForm } from './normal-form.ts';
import { type CrashOutcome, differences, outcomeAfter } from './outcome.ts';
import { type CrashPlan, exactText, normalAnswer } from './plan.ts';
import { type Death, moments, ordinalOf } from './protocol.ts';
import type { CrashStage } from './stage.ts';

/** Outcome of a death, and the problems with it. */
export interface DeathReport {
  readonly death: Death;
  readonly outcome: CrashOutcome;
  readonly problems: readonly string[];
}

/**
 * Lists the deaths that can come to a request: of the process or of the store, before and after each call. Of reads in a row,
 * which leave nothing, only the first and the last one count.
 */
export function deathsIn({ calls }: CrashPlan, victim: Death['victim']): Death[] {
  return calls.flatMap((call, index) => {
    const isAmongAlike = calls[index - 1] === call && calls[index + 1] === call;
    if (isAmongAlike && call !== 'TransactWriteItems') return [];
    const place = ordinalOf(calls.slice(0, index + 1));
    return moments.map((moment) => ({ victim, call, place, moment }));
  });
}

/** Lets a request die, looks at what it left, sends it again, and looks at the end. */
export async function tryDeath(stage: CrashStage, plan: CrashPlan, death: Death): Promise<DeathReport> {
  await stage.reset();
  const fate = await stage.runInProcess(death);
  const { outcome, problems } = look(await stage.contentAtRest(), plan);
  if (death.victim === 'process' && fate !== undefined && isReached(death, fate.calls))
    problems.push('it answered although its process should be dead');
  if (death.victim === 'store' && fate !== undefined) problems.push(...answerProblems(fate.answer, outcome, plan));
  problems.push(...(await repeatProblems(stage, plan, outcome, fate?.answer)));
  return { death, outcome, problems };
}

/**
 * Tells whether a request has made the call that death waits at. Its transactions may conflict with each other and are
 * sent again then, which happens more often at one time than at another.
 */
function isReached({ call, place }: Death, calls: readonly string[]): boolean {
  return calls.filter((each) => each === call).length >= place;
}

/** Examines a table after a death: the progress of the request, and the contradictions in the table. */
export function look(items: readonly Item[], plan: CrashPlan): { outcome: CrashOutcome; problems: string[] } {
  const { outcome, problems } = outcomeAfter(normalForm(items), plan);
  return { outcome, problems: [...problems, ...problemsOf(items)] };
}

const isRefusedForNow = ({ status }: Reply) => status === 503;

/**
 * Checks the answer: a store that died and came back is no reason for a request to fail, except with the advice to try
 * again.
 */
function answerProblems(answer: Reply, outcome: CrashOutcome, plan: CrashPlan): string[] {
  if (isRefusedForNow(answer)) return [];
  if (outcome !== 'complete') return [`it answered ${answer.status} but is ${outcome}`];
  const text = normalAnswer(answer);
  // The process found, after the death, that its own request was carried out.
  if (plan.isKeyed && plan.isSecret && text === plan.secondAnswer) return [];
  return text === plan.answer ? [] : [`it answered ${text}, not ${plan.answer}`];
}

/**
 * Sends the request again, which must end as if nothing had happened before, or as if it had been carried out before;
 * with a key, in the first answer, to the byte.
 */
export async function repeatProblems(
  stage: CrashStage,
  plan: CrashPlan,
  left: CrashOutcome,
  first?: Reply,
): Promise<string[]> {
  const wasDone = left === 'complete';
  const answer = await stage.send();
  const again = plan.isKeyed ? await stage.send() : answer;
  const end = await stage.content();
  const wanted = wasDone ? plan.secondAnswer : plan.answer;
  const problems = [
    ...(normalAnswer(answer) === wanted ? [] : [`it answered ${normalAnswer(answer)}, not ${wanted}`]),
    ...problemsOf(end),
    ...differences(wasDone ? plan.afterTwo : plan.after, normalForm(end)).map((each) => `it did not converge: ${each}`),
  ];
  if (plan.isSecret) return problems.map(sentAgain);
  if (plan.isKeyed && first !== undefined && !isRefusedForNow(first) && exactText(first) !== exactText(answer)) {
    problems.push(`it answered ${exactText(answer)}, not the first answer ${exactText(first)}`);
  }
  if (exactText(again) !== exactText(answer)) problems.push(`it answered ${exactText(again)} the third time`);
  return problems.map(sentAgain);
}

const sentAgain = (problem: string) => `sent again, ${problem}`;
