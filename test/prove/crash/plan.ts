import type { Reply } from '../../harness/gateway.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { type NormalForm, normalForm, normalText, orderedJson } from './normal-form.ts';
import { type Course, differences } from './outcome.ts';
import type { CrashStage } from './stage.ts';

/** Course of a request that nothing disturbs, and of its repeat. */
export interface CrashPlan extends Course {
  readonly isKeyed: boolean;
  /** True if the answer holds a secret, which a key does not bring back. */
  readonly isSecret: boolean;
  /** The calls to the store, in the order in which they go out. */
  readonly calls: readonly string[];
  /** Time that it takes in a process of its own that has started. */
  readonly milliseconds: number;
  readonly answer: string;
  /** State after carrying it out twice. */
  readonly afterTwo: NormalForm;
  readonly secondAnswer: string;
}

export interface PlanOptions {
  /** Name of the request in errors. */
  readonly title: string;
  /** True if it carries an idempotency key, so that a repeat gets the same answer, byte for byte. */
  readonly isKeyed: boolean;
  readonly isSecret: boolean;
}

/** An answer without random ids and times. */
export const normalAnswer = ({ status, text, body }: Reply) =>
  normalText(`${status} ${typeof body === 'object' ? orderedJson(body) : text}`);

export const exactText = ({ status, text }: Reply) => `${status} ${text}`;

/** @throws Error where the request fails without any death, or is wrong when it is sent again. */
export async function crashPlanOf(stage: CrashStage, { title, isKeyed, isSecret }: PlanOptions): Promise<CrashPlan> {
  await stage.reset();
  const fate = await stage.runInProcess();
  if (fate === undefined || fate.answer.status >= 400) {
    throw new Error(`${title} fails without any death: ${fate?.answer.text}`);
  }
  const after = await stage.content();
  const second = await stage.send();
  const afterTwo = await stage.content();
  const plan: CrashPlan = {
    before: normalForm(stage.begin),
    after: normalForm(after),
    inParts: stage.inParts,
    inSteps: stage.inSteps,
    isKeyed,
    isSecret,
    calls: fate.calls,
    milliseconds: fate.milliseconds,
    answer: normalAnswer(fate.answer),
    afterTwo: normalForm(afterTwo),
    secondAnswer: normalAnswer(second),
  };
  const problems = [stage.begin, after, afterTwo].flatMap(problemsOf);
  if (differences(plan.before, plan.after).length === 0) problems.push('nothing changes');
  if (!stage.repeats || isKeyed) problems.push(...differences(plan.after, plan.afterTwo));
  const isRight = isSecret ? second.status === 400 : exactText(second) === exactText(fate.answer);
  if (isKeyed && !isRight) problems.push(`sent again, it answers ${exactText(second)}`);
  if (problems.length > 0) throw new Error(`${title} is wrong without any death: ${problems.join('; ')}`);
  return plan;
}
