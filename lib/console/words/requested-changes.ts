import type { ShownChangeRequest } from '../../change-requests/change-request-schema.ts';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { type ToldEvent, tellEvent } from './events.ts';

/** The effect of a change on a flag or a segment, in the form of the event that it makes. */
export type Effect = NonNullable<ConsoleRequestPage['preview']>['events'][number];

type Change = Pick<ShownChangeRequest['features'][number]['changes'][number], 'action' | 'payload'>;
type State = Readonly<Record<string, unknown>>;

/** The event of each action; the changes of an override have the types of their events as actions. */
const events: Readonly<Record<string, (after: State, before: State | undefined) => Omit<Effect, 'featureName'>>> = {
  updateEnabled: ({ enabled }) => ({
    type: enabled === true ? 'feature-environment-enabled' : 'feature-environment-disabled',
    data: null,
    preData: null,
  }),
  addStrategy: (data) => ({ type: 'feature-strategy-add', data, preData: null }),
  updateStrategy: (data, preData = {}) => ({ type: 'feature-strategy-update', data, preData }),
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
  updateSegment: (data, preData = {}) => ({ type: 'segment-updated', data, preData }),
  deleteSegment: (after, before) => ({ type: 'segment-deleted', data: null, preData: before ?? after }),
};

/** Returns the effect of a change as it was requested, rather than as it would be now. */
export function toEffect({ action, payload }: Change, featureName?: string): Effect {
  const { snapshot, ...after } = (payload ?? {}) as State & { readonly snapshot?: State };
  const effect = events[action]?.(after, snapshot) ?? { type: action, data: after, preData: null };
  return { ...effect, ...(featureName !== undefined && { featureName }) };
}

/** Verbs whose present does not end in "es" where the past ends in "ed", as that of "changed" does. */
const presents: Readonly<Record<string, string>> = { Added: 'Adds', Marked: 'Marks' };

/** Writes an effect that a request asks for as a sentence: "Switches it on". */
export function tellProposal(effect: Effect): string {
  return tellEffect(effect).replace(/^\w+/, (verb) => presents[verb] ?? verb.replace(/ed$/, 'es'));
}

/** Writes an effect as a sentence: "Switched it on". */
export function tellEffect({ type, featureName, data, preData }: Effect): string {
  const told = { type, featureName: featureName ?? null, data, preData, environment: null };
  const sentence = tellEvent(told as ToldEvent);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
