import { describe, expect, test } from 'vitest';
import {
  buildLifeSince,
  buildNewLife,
  enterStage,
  lifeOf,
  listStagesByUse,
  removeStage,
} from '../../../../lib/features/lifecycle/lifecycle.ts';

const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;

describe('The life cycle of a feature', () => {
  test('is in the last of its stages, in whatever order they were entered', () => {
    let life = buildNewLife(day(1));
    life = enterStage(life, { stage: 'live', enteredStageAt: day(2) });
    life = enterStage(life, { stage: 'pre-live', enteredStageAt: day(3) });
    expect(life.lifecycle).toEqual({ stage: 'live', enteredStageAt: day(2) });
    expect(life.stages.map(({ stage }) => stage)).toEqual(['initial', 'live', 'pre-live']);
  });

  test('keeps the time of a stage that is entered again', () => {
    const live = enterStage(buildNewLife(day(1)), { stage: 'live', enteredStageAt: day(2) });
    expect(enterStage(live, { stage: 'live', enteredStageAt: day(3) })).toEqual(live);
    const kept = enterStage(live, { stage: 'live', status: 'kept', enteredStageAt: day(3) });
    expect(kept.lifecycle).toStrictEqual({ stage: 'live', status: 'kept', enteredStageAt: day(2) });
    expect(live.lifecycle).toStrictEqual({ stage: 'live', enteredStageAt: day(2) });
  });

  test('enters the stages that a use implies, each once', () => {
    const inProduction = { isProduction: true, isOn: true };
    const before = [
      { isProduction: true, isOn: false },
      { isProduction: false, isOn: true },
      { isProduction: false, isOn: false },
    ];
    const fresh = buildNewLife(day(1));
    const preLive = enterStage(fresh, { stage: 'pre-live', enteredStageAt: day(2) });
    const live = enterStage(fresh, { stage: 'live', enteredStageAt: day(2) });
    for (const use of before)
      expect([fresh, preLive].map((life) => listStagesByUse(life, use))).toEqual([['pre-live'], []]);
    expect([fresh, preLive, live].map((life) => listStagesByUse(life, inProduction))).toEqual([
      ['pre-live', 'live'],
      ['live'],
      ['pre-live'],
    ]);
  });

  test('shows the status of its completion, but not the variant', () => {
    const stage = { stage: 'completed', status: 'kept', statusValue: 'blue', enteredStageAt: day(2) } as const;
    const life = enterStage(buildNewLife(day(1)), stage);
    expect(life.lifecycle).toEqual({ stage: 'completed', status: 'kept', enteredStageAt: day(2) });
    expect(life.stages[1]).toEqual(stage);
    expect(removeStage(life, 'completed')).toEqual(buildNewLife(day(1)));
  });

  test('begins with the creation if only the current stage is stored', () => {
    const archived = { stage: 'archived', enteredStageAt: day(3) } as const;
    expect(buildLifeSince(day(1), archived)).toEqual(lifeOf([{ stage: 'initial', enteredStageAt: day(1) }, archived]));
    const revived = { stage: 'initial', enteredStageAt: day(4) } as const;
    expect(buildLifeSince(day(1), revived)).toEqual(buildNewLife(day(4)));
  });
});
