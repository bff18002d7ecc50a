import type { StrategyInput } from '../../../../lib/schemas/strategy.ts';
import type { Facts, Request } from '../history.ts';
import { type Chosen, Draft, shownStrategy } from './draft.ts';
import { environmentOf, type FeatureState, type ForetoldEvent, metadataOf, withEnvironment } from './feature.ts';
import { created, imported } from './import.ts';
import { contentOf, placeAfter } from './strategies.ts';

/** What a request does to one feature: nothing, for a reason that has a status, or a change with its events. */
export type Step =
  | { readonly refused: 400 | 404 | 409 }
  | { readonly after: FeatureState | undefined; readonly events: readonly ForetoldEvent[] };

/** What else a request depends on than the feature. */
export interface Surroundings {
  readonly facts: Facts;
  /** That of the project and environment of an import. */
  readonly defaultStrategy: StrategyInput | undefined;
}

const notFound: Step = { refused: 404 };
const refused: Step = { refused: 400 };
const strategiesMax = 30;

/** The service in a few lines, one request at a time: what a request does to the feature that it finds. */
export function step(
  before: FeatureState | undefined,
  name: string,
  request: Request,
  { facts, defaultStrategy }: Surroundings,
  chosen: Chosen,
): Step {
  if (request.kind === 'import') {
    const file = request.features.find((each) => each.name === name);
    if (file === undefined) return notFound;
    if (before !== undefined && before.archivedAt !== null && file.fields.archived !== true) return refused;
    const defaultStickiness = stickinessOf(facts, request.project);
    return done(imported(before, file, { ...request, defaultStickiness, defaultStrategy }, chosen));
  }
  if (request.kind === 'create') {
    return before === undefined ? done(created({ name, fields: request.fields }, request, chosen)) : { refused: 409 };
  }
  if (before === undefined) return notFound;
  const draft = new Draft(before);
  if (request.kind === 'update') {
    draft.changeFields(request.change, chosen);
    return done(draft);
  }
  if (request.kind === 'revive' && before.archivedAt !== null) {
    draft.revive(chosen);
    return done(draft);
  }
  if (request.kind === 'delete' && before.archivedAt !== null) {
    draft.tell('feature-deleted', { preData: metadataOf(before) });
    return { after: undefined, events: draft.events };
  }
  if (before.archivedAt !== null || request.kind === 'revive' || request.kind === 'delete') return notFound;
  if (request.kind === 'archive') draft.archive(chosen);
  if (request.kind === 'variants') draft.changeVariants(request.environment, request.variants);
  if (request.kind === 'add tag') draft.addTag(request.tag.value);
  if (request.kind === 'bulk off') draft.switchOff(request.environment);
  if (request.kind === 'add strategy') {
    const { environment, strategy } = request;
    if (environmentOf(before, environment).strategies.length >= strategiesMax) return refused;
    addStrategy(draft, environment, strategy, stickinessOf(facts, before.project), chosen);
  }
  return done(draft);
}

function done({ state, events }: Draft): Step {
  return { after: state, events };
}

function stickinessOf({ projects }: Facts, project: string): string {
  return projects.find(({ id }) => id === project)?.defaultStickiness ?? '';
}

function addStrategy(
  draft: Draft,
  environment: string,
  input: StrategyInput,
  defaultStickiness: string,
  { strategyIds: [id = 'a new id'] }: Chosen,
): void {
  const state = environmentOf(draft.state, environment);
  const content = contentOf(input, draft.state.name, defaultStickiness);
  const strategy = { id, ...content, sortOrder: input.sortOrder ?? placeAfter(state.strategies) };
  draft.state = withEnvironment(draft.state, environment, { ...state, strategies: [...state.strategies, strategy] });
  draft.tell('feature-strategy-add', { environment, data: shownStrategy(strategy) });
}
