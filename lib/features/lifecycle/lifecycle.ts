import type { Feature } from '../feature.ts';
import type { Lifecycle, Stage } from '../feature-schema.ts';

/** Lifecycle of a feature: the stages that it has entered, oldest first, and the current one. */
export type Life = Pick<Feature, 'stages' | 'lifecycle'>;

/** From the first to the last: a feature is in the highest that it has entered, in whatever order it has entered them. */
const ranks: readonly Lifecycle['stage'][] = ['initial', 'pre-live', 'live', 'completed', 'archived'];

export function lifeOf(stages: readonly Stage[]): Life {
  const highest = stages.reduce((high, each) => (ranks.indexOf(each.stage) > ranks.indexOf(high.stage) ? each : high));
  return { stages, lifecycle: shownStage(highest) };
}

/** Returns the life of a feature that is new, or was revived, at some time. */
export function newLife(at: string): Life {
  return lifeOf([{ stage: 'initial', enteredStageAt: at }]);
}

/** Returns the life of a feature that has entered no stages but the first and its present one. */
export function lifeSince(createdAt: string, lifecycle: Lifecycle): Life {
  if (lifecycle.stage === 'initial') return lifeOf([lifecycle]);
  return lifeOf([{ stage: 'initial', enteredStageAt: createdAt }, lifecycle]);
}

/** After a stage is entered; one that was entered before keeps its time. */
export function enterStage({ stages }: Life, stage: Stage): Life {
  const known = stages.find((each) => each.stage === stage.stage);
  if (known === undefined) return lifeOf([...stages, stage]);
  return lifeOf(stages.map((each) => (each === known ? { ...stage, enteredStageAt: known.enteredStageAt } : each)));
}

/** A use of a feature in an environment. */
interface Use {
  readonly isProduction: boolean;
  /** True if the feature is on there. */
  readonly isOn: boolean;
}

/** Returns the stages that a use of a feature implies and that it has not entered yet, in order. */
export function stagesByUse({ stages }: Life, { isProduction, isOn }: Use): ('pre-live' | 'live')[] {
  const reached = isProduction && isOn ? (['pre-live', 'live'] as const) : (['pre-live'] as const);
  return reached.filter((stage) => !stages.some((each) => each.stage === stage));
}

/** Returns the lifecycle as if a stage had never been entered. */
export function without({ stages }: Life, stage: Exclude<Lifecycle['stage'], 'initial'>): Life {
  return lifeOf(stages.filter((each) => each.stage !== stage));
}

/** Returns a stage as replies show it. */
export function shownStage({ stage, status, enteredStageAt }: Stage): Lifecycle {
  return { stage, ...(status !== undefined && { status }), enteredStageAt };
}
