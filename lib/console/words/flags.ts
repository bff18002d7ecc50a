import type { Lifecycle } from '../../features/feature-schema.ts';

/** Types of flags in words. */
export const typeNames: Readonly<Record<string, string>> = {
  release: 'Release',
  experiment: 'Experiment',
  operational: 'Operational',
  'kill-switch': 'Kill switch',
  permission: 'Permission',
  sunset: 'Sunset',
};

/** The purpose of each type of flags in a sentence. */
export const typeSentences: Readonly<Record<string, string>> = {
  release: 'Ships a feature bit by bit, and goes away once everybody has it.',
  experiment: 'Compares variants with each other.',
  operational: 'Controls how the system behaves, such as a slow path.',
  'kill-switch': 'Switches a part off when it fails, and stays.',
  permission: 'Gives a feature to some users, and stays.',
  sunset: 'Takes an old feature away bit by bit.',
};

/** Stages in the life of a flag in words. */
export const stageNames: Readonly<Record<Lifecycle['stage'], string>> = {
  initial: 'New',
  'pre-live': 'In development',
  live: 'Live',
  completed: 'Completed',
  archived: 'Archived',
};

/** Writes a tag: its value, with its type unless that is the usual one. */
export function showTag({ type, value }: { readonly type: string; readonly value: string }): string {
  return type === 'simple' ? value : `${type}:${value}`;
}

/** A plan as lists have it. */
interface ListedProgress {
  readonly enabled?: boolean;
  readonly isForEverybody?: boolean;
  readonly milestoneName?: string;
  readonly milestoneOrder?: number;
  readonly totalMilestones?: number;
}

/** Writes how far a plan is: "Half, 2 of 3", or that everybody gets the flag anyway, in words that fit on a phone; undefined without a plan. */
export function describeProgress(listed: ListedProgress): string | undefined {
  const { milestoneName, milestoneOrder = 0, totalMilestones, enabled = false, isForEverybody = false } = listed;
  if (totalMilestones === undefined) return undefined;
  if (enabled && isForEverybody) return 'All users';
  return milestoneName === undefined ? 'Plan waits' : `${milestoneName}, ${milestoneOrder + 1} of ${totalMilestones}`;
}
