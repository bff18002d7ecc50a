import type { Lifecycle, Stage } from '../feature-schema.ts';

/** The life cycle of a feature. */
export interface Life {
  /** The stages that the feature has entered, the oldest first. */
  readonly stages: readonly Stage[];
  /** The current stage, which is one of `stages`. */
  readonly lifecycle: Lifecycle;
}

/** The stages from the first to the last. A feature is in the last of those that it has entered, in any order. */
const stageOrder: readonly Lifecycle['stage'][] = ['initial', 'pre-live', 'live', 'completed', 'archived'];

/** Returns the life cycle with these stages, of which there is at least one. */
export function lifeOf(stages: readonly Stage[]): Life {
  const rankOf = ({ stage }: Stage) => stageOrder.indexOf(stage);
  const current = stages.reduce((last, stage) => (rankOf(stage) > rankOf(last) ? stage : last));
  return { stages, lifecycle: toStageView(current) };
}

/** Builds the life cycle of a feature that is created or revived at a time. */
export function buildNewLife(at: string): Life {
  return lifeOf([{ stage: 'initial', enteredStageAt: at }]);
}

/** Builds the life cycle of a feature that has entered only the first stage and its current one. */
export function buildLifeSince(createdAt: string, lifecycle: Lifecycle): Life {
  if (lifecycle.stage === 'initial') return lifeOf([lifecycle]);
  return lifeOf([{ stage: 'initial', enteredStageAt: createdAt }, lifecycle]);
}

/** Adds a stage; if it was entered before, it keeps its time and gets the new status. */
export function enterStage({ stages }: Life, stage: Stage): Life {
  const before = stages.find((entered) => entered.stage === stage.stage);
  if (before === undefined) return lifeOf([...stages, stage]);
  const updated = { ...stage, enteredStageAt: before.enteredStageAt };
  return lifeOf(stages.map((entered) => (entered === before ? updated : entered)));
}

/** A use of a feature in an environment. */
interface Use {
  readonly isProduction: boolean;
  /** True if the feature is on there. */
  readonly isOn: boolean;
}

/** Lists the stages that a use of a feature implies and that it has not entered yet, in order. */
export function listStagesByUse({ stages }: Life, { isProduction, isOn }: Use): ('pre-live' | 'live')[] {
  const implied = isProduction && isOn ? (['pre-live', 'live'] as const) : (['pre-live'] as const);
  return implied.filter((stage) => !stages.some((entered) => entered.stage === stage));
}

/** Returns the life cycle without a stage. */
export function removeStage({ stages }: Life, stage: Exclude<Lifecycle['stage'], 'initial'>): Life {
  return lifeOf(stages.filter((entered) => entered.stage !== stage));
}

/** Returns a stage as replies show it. */
export function toStageView({ stage, status, enteredStageAt }: Stage): Lifecycle {
  return { stage, ...(status !== undefined && { status }), enteredStageAt };
}
