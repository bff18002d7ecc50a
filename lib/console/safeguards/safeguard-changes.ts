import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import {
  deleteFeatureEnvironmentSafeguard,
  deleteReleasePlanSafeguard,
  setFeatureEnvironmentSafeguard,
  setReleasePlanSafeguard,
} from '../calls/safeguards.ts';
import type { FlagChange } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { describeTrigger } from '../words/safeguards.ts';
import { isTighter, type WrittenSafeguard } from './safeguard-draft.ts';
import { actionWords } from './safeguard-words.ts';

/** A safeguard of a flag in an environment, or of its plan there. */
export type ShownSafeguard =
  | FeatureEnvironmentView['safeguards'][number]
  | FeatureEnvironmentView['releasePlans'][number]['safeguards'][number];

/** The owner of safeguards: the plan of a flag in an environment, or the flag itself there. */
export interface SafeguardPlace {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  /** Missing for the flag itself. */
  readonly planId?: string | undefined;
}

/** Lists the safeguards of a flag in an environment, those of its plan first. */
export function listSafeguards({ releasePlans, safeguards }: FeatureEnvironmentView) {
  const ofPlans = releasePlans.flatMap(({ id: planId, safeguards: own }) =>
    own.map((safeguard) => ({ safeguard: safeguard as ShownSafeguard, planId: planId as string | undefined })),
  );
  return [...ofPlans, ...safeguards.map((safeguard) => ({ safeguard, planId: undefined }))];
}

function describeOwner({ flag, environment: { name: environment }, planId }: SafeguardPlace, id: string) {
  const { project, name: feature } = flag.feature;
  const values = { projectId: project, featureName: feature, environment };
  return {
    feature,
    environment,
    values,
    base: {
      place: placeOf(flag, environment),
      part: ({ feature: { environments } }: ConsoleFlag) => {
        const state = environments.find(({ name }) => name === environment);
        return state && listSafeguards(state).find(({ safeguard }) => safeguard.id === id);
      },
    },
    ofPlan: planId === undefined ? undefined : { ...values, planId },
  };
}

/** Adds a safeguard, or replaces one. @param before the one that is replaced. */
export function buildSafeguardChange(
  where: SafeguardPlace,
  safeguard: WrittenSafeguard,
  before: ShownSafeguard | undefined,
): FlagChange {
  const { feature, environment, values, base, ofPlan } = describeOwner(where, safeguard.id ?? '');
  const condition = describeTrigger(safeguard);
  const { children } = where.flag.feature;
  const isOff = safeguard.action.type === 'disableFeatureEnvironment';
  // Adding a safeguard, or letting it act earlier, needs no approval, unless it switches the flag off.
  const needsApproval = isOff || (before !== undefined && !isTighter(before, safeguard));
  const request =
    ofPlan === undefined
      ? ({ feature, action: 'changeFeatureEnvSafeguard', payload: { safeguard } } as const)
      : ({ feature, action: 'changeReleasePlanSafeguard', payload: { planId: ofPlan.planId, safeguard } } as const);
  return {
    ...base,
    title: before === undefined ? `Add a safeguard in ${environment}` : `Change the safeguard in ${environment}`,
    verb: before === undefined ? 'Add' : 'Save',
    isAsked: true,
    effect: [
      `It ${actionWords[safeguard.action.type]} if ${condition}. Without fresh evidence, it does nothing.`,
      ...(isOff && children.length > 0 ? [`${children.join(', ')} can change, too: they depend on ${feature}.`] : []),
    ].join(' '),
    ...(needsApproval && { request }),
    send: (ifMatch) =>
      ofPlan === undefined
        ? setFeatureEnvironmentSafeguard(values, { body: safeguard, ifMatch })
        : setReleasePlanSafeguard(ofPlan, { body: safeguard, ifMatch }),
    done: before === undefined ? `Added a safeguard in ${environment}` : `Changed the safeguard in ${environment}`,
  };
}

/** Removes a safeguard. */
export function buildSafeguardRemoval(where: SafeguardPlace, safeguard: ShownSafeguard): FlagChange {
  const { id } = safeguard;
  const { feature, environment, values, base, ofPlan } = describeOwner(where, id);
  return {
    ...base,
    title: `Remove the safeguard of ${feature} in ${environment}?`,
    verb: 'Remove',
    isDanger: true,
    isAsked: true,
    effect: `Nothing happens any more if ${describeTrigger(safeguard)}.`,
    request:
      ofPlan === undefined
        ? { feature, action: 'deleteFeatureEnvSafeguard', payload: { safeguardId: id } }
        : { feature, action: 'deleteReleasePlanSafeguard', payload: { planId: ofPlan.planId, safeguardId: id } },
    send: (ifMatch) =>
      ofPlan === undefined
        ? deleteFeatureEnvironmentSafeguard({ ...values, id }, { ifMatch })
        : deleteReleasePlanSafeguard({ ...ofPlan, id }, { ifMatch }),
    done: `Removed the safeguard in ${environment}`,
  };
}
