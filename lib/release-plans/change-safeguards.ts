import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalid, notFound } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { type EnvironmentPath, planEnvironmentChange } from '../features/environments/change-environment.ts';
import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { type SafeguardOwner, safeguardChanged, safeguardDeleted } from '../features/plans/safeguard-events.ts';
import {
  type Safeguard,
  type SafeguardAction,
  type SafeguardInput,
  safeguardsMax,
} from '../features/plans/safeguard-schema.ts';
import type { Request } from '../request.ts';

/** The path of the owner of safeguards: a plan, or the environment itself without one. */
export interface SafeguardOwnerPath extends EnvironmentPath {
  readonly planId?: string;
}

/**
 * Plans to add a safeguard to a plan or to a feature in an environment, or to replace one. The result is the safeguard.
 * @throws ApiError 404 for an unknown project, environment, feature or plan; 400 for one safeguard too many.
 */
export function planSetSafeguard(request: Request, path: SafeguardOwnerPath, input: SafeguardInput) {
  const newId = randomUUID();
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }) => {
      const owner = ownerOf(path);
      const all = listOwned(state, path);
      const before = input.id === undefined ? all[0] : all.find(({ id }) => id === input.id);
      const blank = { id: input.id ?? newId, action: { type: defaultActionOf(path) } };
      const after = buildSafeguard(input, before ?? blank);
      if (isDeepStrictEqual(before, after)) return { state, events: [], value: after };
      if (before === undefined && all.length >= safeguardsMax)
        throw invalid(`There are ${safeguardsMax} safeguards already, which is the most.`, 'id');
      const next =
        before === undefined ? [...all, after] : all.map((safeguard) => (safeguard === before ? after : safeguard));
      return {
        state: withOwned(state, path, next),
        events: [safeguardChanged(feature, owner, before, after)] satisfies NewEvent[],
        value: after,
      };
    },
  });
}

/**
 * Plans to remove a safeguard of a plan or of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment, feature, plan or safeguard.
 */
export function planRemoveSafeguard(request: Request, path: SafeguardOwnerPath, id: string) {
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }) => {
      const all = listOwned(state, path);
      const before = all.find((safeguard) => safeguard.id === id);
      if (before === undefined) throw notFound('safeguard', id);
      const next = all.filter((safeguard) => safeguard !== before);
      return {
        state: withOwned(state, path, next),
        events: [safeguardDeleted(feature, ownerOf(path), before)],
        value: undefined,
      };
    },
  });
}

function ownerOf({ environment, planId }: SafeguardOwnerPath): SafeguardOwner {
  return { environment, planId };
}

/** @throws ApiError 404 for an unknown plan. */
function listOwned(
  { plan, safeguards = [] }: FeatureEnvironment,
  { planId }: SafeguardOwnerPath,
): readonly Safeguard[] {
  if (planId === undefined) return safeguards;
  if (plan?.id !== planId) throw notFound('release plan', planId);
  return plan.safeguards ?? [];
}

/** Returns a state with other safeguards of the owner. */
function withOwned(
  state: FeatureEnvironment,
  { planId }: SafeguardOwnerPath,
  all: readonly Safeguard[],
): FeatureEnvironment {
  const added = all.length > 0 && { safeguards: all };
  if (planId === undefined || state.plan === undefined) {
    const { safeguards: _old, ...rest } = state;
    return { ...rest, ...added };
  }
  const { safeguards: _old, ...plan } = state.plan;
  return { ...state, plan: { ...plan, ...added } };
}

/** Returns the action of a new safeguard without one, as Unleash chooses it. */
function defaultActionOf({ planId }: SafeguardOwnerPath): SafeguardAction {
  return planId === undefined ? 'disableFeatureEnvironment' : 'pauseReleasePlanProgressions';
}

function buildSafeguard(
  { impactMetric, triggerCondition, action }: SafeguardInput,
  { id, action: actionBefore, triggeredAt }: Pick<Safeguard, 'id' | 'action' | 'triggeredAt'>,
): Safeguard {
  const safeguard = { id, impactMetric: { id, ...impactMetric }, triggerCondition, action: action ?? actionBefore };
  return triggeredAt === undefined ? safeguard : { ...safeguard, triggeredAt };
}
