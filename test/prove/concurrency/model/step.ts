import { isDeepStrictEqual } from 'node:util';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';
import { type ClientRequest, type Facts, type RequestOf, strategiesNamed } from '../history.ts';
import { type CloneRequest, cloned } from './clone.ts';
import { type Chosen, Draft, hasEnabled, shownStrategy } from './draft.ts';
import { environmentOf, type FeatureState, type ForetoldEvent, ownFieldsOf } from './feature.ts';
import { created, importStep } from './import.ts';
import { changePlan, isPlanRequest, settleClocks, startDue, startWaiting } from './plans.ts';
import { inPlace, newContentOf, placeAfter } from './strategies.ts';

/** Effect of a request on one feature: none, for a reason with a status, or a change with its events. */
export type ModelStep =
  | { readonly refused: 400 | 404 | 409 }
  | { readonly after: FeatureState | undefined; readonly events: readonly ForetoldEvent[] };

/** Circumstances, besides the feature, that a request depends on. */
export interface Surroundings {
  readonly facts: Facts;
  /** Default strategy of the project and environment of an import, or in which a feature is switched on. */
  readonly defaultStrategy: StrategyInput | undefined;
}

const notFound: ModelStep = { refused: 404 };
const refused: ModelStep = { refused: 400 };
const strategiesMax = 30;

/** Models the service in a few lines, one request at a time: its effect on the feature that it finds. */
export function modelStep(
  before: FeatureState | undefined,
  name: string,
  request: ClientRequest,
  surroundings: Surroundings,
  chosen: Chosen,
): ModelStep {
  const step = stepWithoutClocks(before, name, request, surroundings, chosen);
  if (!('after' in step) || step.after === undefined || step.events.length === 0) return step;
  return { ...step, after: settleClocks(before, step.after, chosen.at) };
}

function stepWithoutClocks(
  before: FeatureState | undefined,
  name: string,
  request: ClientRequest,
  { facts, defaultStrategy }: Surroundings,
  chosen: Chosen,
): ModelStep {
  if (request.kind === 'import') {
    const file = request.features.find((each) => each.name === name);
    if (file === undefined) return notFound;
    if (before !== undefined && before.archivedAt !== null) return { after: before, events: [] };
    if (before !== undefined && before.project !== request.project) return refused;
    const defaultStickiness = stickinessOf(facts, request.project);
    return done(importStep(before, file, { ...request, defaultStickiness, defaultStrategy }, chosen));
  }
  if (request.kind === 'clock') {
    if (before === undefined || before.archivedAt !== null) return { after: before, events: [] };
    const draft = new Draft(before);
    startDue(draft, request, chosen);
    return done(draft);
  }
  if (request.kind === 'clone') return cloneStep(before, name, request, chosen);
  if (request.kind === 'create') {
    return before === undefined ? done(created({ name, fields: request.fields }, request, chosen)) : { refused: 409 };
  }
  if (before === undefined || ('project' in request && before.project !== request.project)) return notFound;
  const draft = new Draft(before);
  if (request.kind === 'update') {
    draft.changeFields(request.change, chosen);
    return done(draft);
  }
  if (request.kind === 'move') {
    draft.moveTo(request.newProject);
    return done(draft);
  }
  if (request.kind === 'revive' && before.archivedAt !== null) {
    draft.revive(chosen);
    return done(draft);
  }
  if (request.kind === 'delete' && before.archivedAt !== null) {
    draft.tell('feature-deleted', { preData: ownFieldsOf(before) });
    return { after: undefined, events: draft.events };
  }
  if (before.archivedAt !== null || request.kind === 'revive' || request.kind === 'delete') return notFound;
  if (request.kind === 'archive') draft.archive(chosen);
  if (request.kind === 'variants') draft.changeVariants(request.environment, request.variants);
  if (request.kind === 'add tag') draft.addTag(request.tag.value);
  if (request.kind === 'bulk off' || request.kind === 'off') draft.switchOff(request.environment);
  if (isPlanRequest(request)) {
    const status = changePlan(draft, request, facts, chosen);
    if (status !== undefined) return { refused: status };
  }
  if (request.kind === 'on') {
    const { environment } = request;
    startWaiting(draft, environment, chosen);
    const { strategies } = environmentOf(draft.state, environment);
    if (!hasEnabled(environmentOf(draft.state, environment)) && strategies.length >= strategiesMax) return refused;
    const content = newContentOf(
      defaultStrategy ?? { name: 'flexibleRollout' },
      name,
      stickinessOf(facts, before.project),
    );
    const [id = 'a new id'] = chosen.strategyIds;
    draft.switchOn(environment, () => ({ id, ...content, disabled: false, sortOrder: placeAfter(strategies) }));
  }
  if (request.kind === 'add strategy') {
    const { environment, strategy } = request;
    if (environmentOf(before, environment).strategies.length >= strategiesMax) return refused;
    addStrategy(draft, environment, strategy, stickinessOf(facts, before.project), chosen);
  }
  const known = new Set(
    'environment' in request ? environmentOf(before, request.environment).strategies.map(({ id }) => id) : [],
  );
  if (strategiesNamed(request).some((id) => !known.has(id))) return notFound;
  if (request.kind === 'update strategy' || request.kind === 'patch strategy') {
    changeStrategy(draft, request, stickinessOf(facts, before.project));
  }
  if (request.kind === 'delete strategy') removeStrategy(draft, request);
  if (request.kind === 'order strategies') orderStrategies(draft, request);
  return done(draft);
}

/** Returns the effect of a clone: none on its source, and a new feature under its name. */
function cloneStep(before: FeatureState | undefined, name: string, request: CloneRequest, chosen: Chosen): ModelStep {
  const isSource = name === request.feature;
  if (isSource && (before === undefined || before.project !== request.project || before.archivedAt !== null)) {
    return notFound;
  }
  if (name !== request.name) return { after: before, events: [] };
  if (before !== undefined) return { refused: 409 };
  // Without events, whatever it was refused for was not the name.
  if (chosen.takenOver === undefined) return { after: undefined, events: [] };
  return done(cloned(request, chosen.takenOver, chosen));
}

function done({ state, events }: Draft): ModelStep {
  return { after: state, events };
}

function stickinessOf({ projects }: Facts, project: string): string {
  return projects.find(({ id }) => id === project)?.defaultStickiness ?? '';
}

function changeStrategy(
  draft: Draft,
  { kind, environment, strategyId, change }: RequestOf<'update strategy' | 'patch strategy'>,
  defaultStickiness: string,
): void {
  const { strategies } = environmentOf(draft.state, environment);
  const before = strategies.find(({ id }) => id === strategyId) as Strategy;
  const emptied = kind === 'update strategy' ? { constraints: [], variants: [] } : {};
  const { title, ...rest } = { ...before, ...emptied, ...change };
  const isOther = change.name !== undefined && change.name !== before.name;
  // The parameters of another type mean nothing to the new one.
  const parameters = isOther ? (change.parameters ?? {}) : rest.parameters;
  const input = { ...rest, ...(title !== null && { title }), parameters };
  const content = newContentOf(input, draft.state.name, defaultStickiness);
  const after = { id: strategyId, ...content, sortOrder: rest.sortOrder };
  if (isDeepStrictEqual(after, before)) return;
  const all = strategies.map((each) => (each === before ? after : each));
  const shown = { data: shownStrategy(after), preData: shownStrategy(before) };
  draft.changeStrategies(environment, all, 'feature-strategy-update', shown);
}

function removeStrategy(draft: Draft, { environment, strategyId }: RequestOf<'delete strategy'>): void {
  const { strategies } = environmentOf(draft.state, environment);
  const removed = strategies.find(({ id }) => id === strategyId) as Strategy;
  const others = strategies.filter((each) => each !== removed);
  draft.changeStrategies(environment, others, 'feature-strategy-remove', { preData: shownStrategy(removed) });
}

function orderStrategies(draft: Draft, { environment, order }: RequestOf<'order strategies'>): void {
  const { strategies } = environmentOf(draft.state, environment);
  const places = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]));
  const after = strategies.map((each) => ({ ...each, sortOrder: places.get(each.id) ?? each.sortOrder }));
  if (isDeepStrictEqual(after, strategies)) return;
  const ids = (all: readonly Strategy[]) => ({ strategyIds: inPlace(all).map(({ id }) => id) });
  const shown = { data: ids(after), preData: ids(strategies) };
  draft.changeStrategies(environment, after, 'strategy-order-changed', shown);
}

function addStrategy(
  draft: Draft,
  environment: string,
  input: StrategyInput,
  defaultStickiness: string,
  { strategyIds: [id = 'a new id'] }: Chosen,
): void {
  const state = environmentOf(draft.state, environment);
  const content = newContentOf(input, draft.state.name, defaultStickiness);
  const sortOrder = input.sortOrder ?? placeAfter(state.strategies);
  draft.addStrategy(environment, { id, ...content, sortOrder });
}
