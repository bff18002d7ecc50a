import type { ShownChangeRequest } from '../../change-requests/change-request-schema.ts';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { type ToldEvent, tellEvent } from './events.ts';

/** The effect of a change on a flag or a segment, in the form of the event that it makes. */
export type Effect = Omit<NonNullable<ConsoleRequestPage['preview']>['events'][number], 'change'>;

type Change = Pick<ShownChangeRequest['features'][number]['changes'][number], 'action' | 'payload'>;
type State = Readonly<Record<string, unknown>>;

/** A milestone of the plan that a change shows. */
interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly strategies?: readonly { readonly id: string }[];
}

const listMilestones = ({ milestones = [] }: State) => milestones as readonly Milestone[];

const findMilestone = (plan: State, milestone: unknown) => listMilestones(plan).find(({ id }) => id === milestone);

/** Returns the safeguard of a plan with an id; without one, the first one, which a new one replaces. */
function findSafeguard({ safeguards = [] }: State, id: string | undefined): State | undefined {
  const all = safeguards as readonly State[];
  return id === undefined ? all[0] : all.find((each) => each.id === id);
}

function tellSafeguard(data: unknown, preData: State | undefined): Omit<Effect, 'featureName'> {
  const type = data === null ? 'safeguard-deleted' : 'safeguard-changed';
  return { type, data: data as State | null, preData: preData ?? null };
}

/** Tells whether a strategy becomes one of another type, which takes its parameters away. Other omitted properties stay. */
function changesType({ name }: State, before: State): boolean {
  return name !== undefined && name !== before.name;
}

/** The event of each action; the changes of an override have the types of their events as actions. */
const events: Readonly<Record<string, (after: State, before: State | undefined) => Omit<Effect, 'featureName'>>> = {
  updateEnabled: ({ enabled }) => ({
    type: enabled === true ? 'feature-environment-enabled' : 'feature-environment-disabled',
    data: null,
    preData: null,
  }),
  addStrategy: (data) => ({ type: 'feature-strategy-add', data, preData: null }),
  updateStrategy: (after, before = {}) => ({
    type: 'feature-strategy-update',
    data: { ...before, ...(changesType(after, before) && { parameters: {} }), ...after },
    preData: before,
  }),
  deleteStrategy: (after, before) => ({ type: 'feature-strategy-remove', data: null, preData: before ?? after }),
  reorderStrategy: () => ({ type: 'strategy-order-changed', data: null, preData: null }),
  patchVariant: (data, variants) => ({
    type: 'feature-environment-variants-updated',
    data,
    preData: { variants: variants ?? [] },
  }),
  archiveFeature: () => ({ type: 'feature-archived', data: null, preData: null }),
  addDependency: (data) => ({ type: 'feature-dependency-added', data, preData: null }),
  deleteDependency: (data) => ({ type: 'feature-dependency-removed', data: null, preData: data }),
  addReleasePlan: ({ template }) => ({ type: 'release-plan-added', data: (template ?? {}) as State, preData: null }),
  deleteReleasePlan: (_after, before = {}) => ({ type: 'release-plan-removed', data: null, preData: before }),
  startMilestone: ({ milestoneId, milestoneName }, plan = {}) => {
    const [milestone, active] = [findMilestone(plan, milestoneId), findMilestone(plan, plan.activeMilestoneId)];
    return {
      type: 'release-plan-milestone-started',
      data: { milestoneId, milestoneName: milestone?.name ?? milestoneName },
      preData: active ? { milestoneName: active.name } : null,
    };
  },
  updateMilestoneStrategy: (after, plan = {}) => {
    const before = listMilestones(plan)
      .flatMap(({ strategies = [] }) => strategies)
      .find(({ id }) => id === after.id);
    return { type: 'feature-strategy-update', data: { ...before, ...after }, preData: before ?? {} };
  },
  changeMilestoneProgression: ({ sourceMilestone, transitionCondition, milestoneName }, plan = {}) => ({
    type: 'milestone-progression-changed',
    data: { milestoneName: findMilestone(plan, sourceMilestone)?.name ?? milestoneName, transitionCondition },
    preData: null,
  }),
  deleteMilestoneProgression: ({ sourceMilestone, milestoneName }, plan = {}) => ({
    type: 'milestone-progression-deleted',
    data: null,
    preData: { milestoneName: findMilestone(plan, sourceMilestone)?.name ?? milestoneName },
  }),
  resumeMilestoneProgression: ({ name }, plan = {}) => ({
    type: 'release-plan-progressions-resumed',
    data: { name: plan.name ?? name },
    preData: null,
  }),
  changeReleasePlanSafeguard: ({ safeguard }, plan = {}) => {
    const { id } = safeguard as { readonly id?: string };
    return tellSafeguard(safeguard, findSafeguard(plan, id));
  },
  deleteReleasePlanSafeguard: ({ safeguardId }, plan = {}) =>
    tellSafeguard(null, findSafeguard(plan, safeguardId as string) ?? {}),
  changeFeatureEnvSafeguard: ({ safeguard }, before) => tellSafeguard(safeguard, before),
  deleteFeatureEnvSafeguard: (_after, before = {}) => tellSafeguard(null, before),
  updateSegment: (data, preData = {}) => ({ type: 'segment-updated', data, preData }),
  deleteSegment: (after, before) => ({ type: 'segment-deleted', data: null, preData: before ?? after }),
};

/** Returns the effect of a change as it was requested, rather than as it would be now. */
export function toEffect({ action, payload }: Change, featureName?: string): Effect {
  const { snapshot, ...after } = (payload ?? {}) as State & { readonly snapshot?: State };
  const effect = events[action]?.(after, snapshot) ?? { type: action, data: after, preData: null };
  return { ...effect, ...(featureName !== undefined && { featureName }) };
}

/** The present of verbs that do not follow the rule by which "Changed" becomes "Changes". */
const presents: Readonly<Record<string, string>> = { Added: 'Adds', Marked: 'Marks', Started: 'Starts', Set: 'Sets' };

/** Writes an effect that a request asks for as a sentence: "Switches it on". */
export function tellRequestedEffect(effect: Effect): string {
  return tellEffect(effect).replace(/^\w+/, (verb) => presents[verb] ?? verb.replace(/ed$/, 'es'));
}

/** Writes an effect as a sentence: "Switched it on". */
export function tellEffect({ type, featureName, data, preData }: Effect): string {
  const told = { type, featureName: featureName ?? null, data, preData, environment: null };
  const sentence = tellEvent(told as ToldEvent);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
