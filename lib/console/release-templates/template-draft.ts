import type { ReleaseTemplateView } from '../../release-plans/template-schema.ts';
import type { ReleaseTemplateBody } from '../calls/template-content.ts';
import type { Refusal } from '../data/client.ts';
import { noLength, type TypedLength, toLengthMinutes, toTypedLength } from '../plan/milestone-length.ts';
import { buildNewDraft, type Draft, listDraftProblems, toDraft, toStrategyBody } from '../strategy/draft.ts';

/** A strategy of a milestone, as a form holds it. */
export interface StrategyDraft extends Draft {
  readonly id: string;
}

/** A milestone, as a form holds it. */
export interface MilestoneDraft {
  readonly id: string;
  readonly name: string;
  /** Null if somebody starts the next milestone. The last milestone keeps one that it had, but it is not sent. */
  readonly interval: TypedLength | null;
  readonly strategies: readonly StrategyDraft[];
}

/** A release template, as a form holds it. */
export interface TemplateDraft {
  readonly name: string;
  readonly description: string;
  /** The project that may use it; null for all. */
  readonly project: string | null;
  readonly milestones: readonly MilestoneDraft[];
}

/** Builds the draft of a new template: one milestone, with which everybody gets the flag. */
export function buildNewTemplate(project: string | null): TemplateDraft {
  const milestone = { ...buildNewMilestone([]), strategies: [buildNewStrategy()] };
  return { name: '', description: '', project, milestones: [milestone] };
}

/** Builds the draft of a milestone behind others, with a name that none of them has. */
export function buildNewMilestone(others: readonly MilestoneDraft[]): MilestoneDraft {
  const names = others.map((other) => other.name.trim());
  let number = others.length + 1;
  while (names.includes(`Milestone ${number}`)) number += 1;
  return { id: crypto.randomUUID(), name: `Milestone ${number}`, interval: null, strategies: [] };
}

/** Builds the draft of a new strategy: everybody gets the flag, and each flag picks its users by itself. */
export function buildNewStrategy(): StrategyDraft {
  return { id: crypto.randomUUID(), ...buildNewDraft('{{featureName}}', undefined) };
}

/** Builds the draft of a template that exists. */
export function toTemplateDraft({ name, description, project, milestones }: ReleaseTemplateView): TemplateDraft {
  return {
    ...{ name, description, project },
    milestones: milestones.map((milestone) => ({
      ...{ id: milestone.id, name: milestone.name },
      interval: milestone.transitionCondition ? toTypedLength(milestone.transitionCondition.intervalMinutes) : null,
      strategies: milestone.strategies.map((strategy) => ({ id: strategy.id, ...toDraft(strategy) })),
    })),
  };
}

/** Builds the draft of a copy of a template. Its name is free. */
export function copyTemplate(template: ReleaseTemplateView): TemplateDraft {
  return { ...toTemplateDraft(template), name: `Copy of ${template.name}`.slice(0, 100) };
}

/** Returns a draft as the service takes it. */
export function toTemplateBody({ milestones, ...template }: TemplateDraft): ReleaseTemplateBody {
  return {
    ...template,
    milestones: milestones.map(({ id, name, interval, strategies }, index) => ({
      ...{ id, name, sortOrder: index },
      ...(interval !== null && index < milestones.length - 1 && { transitionCondition: toTransition(interval) }),
      strategies: strategies.map(({ id: strategyId, ...strategy }, sortOrder) => ({
        ...toStrategyBody(strategy),
        ...{ id: strategyId, sortOrder },
      })),
    })),
  };
}

const toTransition = (typed: TypedLength) => ({ intervalMinutes: toLengthMinutes(typed) ?? 0 });

/** Moves an element of a list to another position. */
export function moveTo<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const moved = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(to, 0, ...moved);
}

/** The problems of a milestone, by its fields. */
export interface MilestoneProblems {
  readonly name?: string | undefined;
  readonly interval?: string | undefined;
  readonly strategies?: string | undefined;
}

/** Finds the problems of a milestone that the form knows without the service. */
export function findProblemsOfMilestone(milestones: readonly MilestoneDraft[], index: number): MilestoneProblems {
  const { name, interval, strategies } = milestones[index] as MilestoneDraft;
  const isRepeated = milestones.some((other, position) => position !== index && other.name.trim() === name.trim());
  const isTimed = interval !== null && index < milestones.length - 1;
  return {
    ...(name.trim() !== '' && isRepeated && { name: 'Another milestone has this name.' }),
    ...(isTimed && toLengthMinutes(interval) === undefined && { interval: noLength }),
    ...(strategies.length === 0 && { strategies: 'A milestone needs a strategy.' }),
  };
}

/** Lists the reasons why a draft cannot be saved, one sentence each. */
export function listTemplateProblems({ name, milestones }: TemplateDraft): string[] {
  return [
    ...(name.trim() === '' ? ['The template needs a name.'] : []),
    ...(milestones.length === 0 ? ['It needs a milestone.'] : []),
    ...(milestones.some((milestone) => milestone.name.trim() === '') ? ['Each milestone needs a name.'] : []),
    ...new Set(milestones.flatMap((_, index) => Object.values(findProblemsOfMilestone(milestones, index)))),
    ...new Set(milestones.flatMap(({ strategies }) => strategies.flatMap(listDraftProblems))),
  ];
}

/** The problems that the service has found, by the field of the form at which they are shown. */
export interface PlacedProblems {
  readonly name?: string | undefined;
  /** The problems of milestones, by id. */
  readonly milestones: ReadonlyMap<string, MilestoneProblems>;
  /** The problems of strategies, by id. */
  readonly strategies: ReadonlyMap<string, readonly string[]>;
  /** The problems of no field. */
  readonly others: readonly string[];
}

/** The keys of the problems of a milestone, by the field of the template. Problems of all other fields are shown at the strategies. */
const problemKeys: Readonly<Record<string, keyof MilestoneProblems>> = {
  name: 'name',
  transitionCondition: 'interval',
};

/**
 * Assigns the problems that the service has found in a template to the fields of its form.
 * @param sent the draft that was sent; the form may have other milestones meanwhile.
 */
export function placeProblems(
  { refusal, problems }: { readonly refusal: Refusal | undefined; readonly problems: readonly string[] },
  { milestones: sent }: TemplateDraft,
): PlacedProblems {
  const milestones = new Map<string, MilestoneProblems>();
  const strategies = new Map<string, readonly string[]>();
  const others: string[] = [];
  let name = refusal?.name === 'NameExistsError' ? refusal.message : undefined;
  for (const { message, path = '' } of refusal?.details ?? []) {
    const [, index, field = '', position] = /^milestones\.(\d+)(?:\.(\w+))?(?:\.(\d+))?/.exec(path) ?? [];
    const milestone = index === undefined ? undefined : sent[Number(index)];
    const strategy =
      field === 'strategies' && position !== undefined ? milestone?.strategies[Number(position)] : undefined;
    if (path === 'name') name = message;
    else if (strategy !== undefined) strategies.set(strategy.id, [...(strategies.get(strategy.id) ?? []), message]);
    else if (milestone === undefined) others.push(message);
    else {
      const key = problemKeys[field] ?? 'strategies';
      const before = milestones.get(milestone.id);
      milestones.set(milestone.id, { ...before, [key]: join(before?.[key], message) });
    }
  }
  const isPlaced = name !== undefined || (refusal !== undefined && refusal.details.length > 0);
  return { name, milestones, strategies, others: isPlaced ? others : problems };
}

const join = (before: string | undefined, message: string) => (before === undefined ? message : `${before} ${message}`);
