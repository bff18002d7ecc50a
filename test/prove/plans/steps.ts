import fc from 'fast-check';

/** The shares of users of the milestones of each template, in percent, so that a later milestone is wider. */
export const shares = [10, 25, 50, 100] as const;

/** The minutes after which the next milestone starts by itself, by template and milestone; null where a person starts it. */
export const intervals = [
  [60, 30, 45, null],
  [null, 20, null, null],
] as const;

/** The steps of people. Members need approval in a protected environment, administrators need none. */
const ofPeople = [
  ...(['add', 'remove', 'start', 'pause', 'resume', 'time', 'untime', 'edit', 'on', 'off'] as const),
  ...(['archive', 'revive', 'guard', 'unguard'] as const),
];
/** Something that happens to a feature with a plan. */
export interface Step {
  readonly does: (typeof ofPeople)[number] | 'trip' | 'clock' | 'wait';
  readonly who: 'administrator' | 'member';
  /** The template of a new plan, or the clock that ticks. */
  readonly which: 0 | 1;
  /** The milestone that it is about, from 0 on; for a safeguard, its action. */
  readonly milestone: 0 | 1 | 2 | 3;
  /** The minutes that pass, or those of an interval; for a safeguard, its threshold. */
  readonly minutes: number;
  /** The number of steps by which its read is late; a conflict when it writes makes it decide again. */
  readonly late: number;
}

/** Tells whether the service itself takes a step, and nobody needs approval for it. */
export function isOfService({ does }: Pick<Step, 'does'>): boolean {
  return does === 'clock' || does === 'trip';
}

const weights: Partial<Record<Step['does'], number>> = {
  ...{ clock: 20, wait: 16, start: 4, pause: 2, resume: 5, on: 5, add: 2, time: 3, guard: 4, trip: 6 },
};

const anyStep: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    ...([...ofPeople, 'trip', 'clock', 'wait'] as const).map((does) => ({
      arbitrary: fc.constant(does),
      weight: weights[does] ?? 1,
    })),
  ),
  who: fc.constantFrom('administrator' as const, 'administrator' as const, 'member' as const),
  which: fc.constantFrom(0, 1),
  milestone: fc.constantFrom(0, 1, 2, 3),
  minutes: fc.constantFrom(1, 10, 20, 29, 30, 31, 45, 60, 90, 600),
  late: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat(4), weight: 1 }),
});

/** The order in which things happen, and what there is at first. */
export interface PlanCourse {
  readonly isProtected: boolean;
  /** True if the feature has a strategy of its own beside the plan. */
  readonly hasOwnStrategy: boolean;
  readonly steps: readonly Step[];
}

const begin = { who: 'administrator', which: 0, milestone: 0, minutes: 1, late: 0 } as const;

/** The steps by which a guarded plan is moved on during a pause. Other steps rarely come in this order. */
const movedOn: readonly Step[] = [
  { ...begin, does: 'guard' },
  { ...begin, does: 'pause' },
  { ...begin, does: 'start', milestone: 1 },
];

export const anyCourse: fc.Arbitrary<PlanCourse> = fc.record({
  isProtected: fc.boolean(),
  hasOwnStrategy: fc.boolean(),
  steps: fc
    .tuple(
      fc.constantFrom(0 as const, 0 as const, 1 as const),
      fc.constantFrom([], [], [], movedOn),
      fc.array(anyStep, { minLength: 8, maxLength: 24, size: 'max' }),
    )
    .map(([which, moved, steps]): Step[] => [
      { ...begin, does: 'add', which },
      { ...begin, does: 'on' },
      ...moved,
      ...steps,
    ]),
});
