import { ApiError, invalid, invalidRequest } from '../errors.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { deliveredFeature, deliveredState } from '../features/items/delivered-feature.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../features/shelf/agreement.ts';
import { type Shelf, type ShelvedFeature, shelvesOf } from '../features/shelf/shelf.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { type Segment, segments, segmentsRevision } from '../segments/segments.ts';
import { LostRace, retryLostRaces } from '../store/transactions/retry.ts';
import { mapChunks } from '../values/chunks.ts';
import { evaluationContext } from './evaluation/context.ts';
import { type ExplainableFeature, type ExplainedStrategy, Explanation } from './evaluation/explanation.ts';
import type { AdvancedPlaygroundRequest, PlaygroundContext, PlaygroundRequest } from './playground-schema.ts';
import { type OwnState, ownStatesOf } from './snapshot/delivered-states.ts';
import { deliveredOf } from './snapshot/snapshot.ts';

/** The most evaluations of a request, as in Unleash. */
const evaluationsMax = 15_000;
/** The number of shelves that are read at the same time. */
const shelvesAtOnce = 16;
/** A longer text would be hashed and searched again for each feature. */
const textLengthMax = 4_096;
/** The most characters of an answer: each evaluation repeats the strategies of its feature, and its context. */
const answerLengthMax = 32 * 1024 * 1024;

/** A context without levels: what an evaluation takes from it by name. */
type FlatContext = Readonly<Record<string, string>> & { readonly appName: string };

/** Evaluates all features of some projects for a context in an environment, and explains the results. */
export async function evaluateFor(request: Request, input: PlaygroundRequest) {
  const { environment, projects } = input;
  assertLengths(input.context);
  const { context } = flatContext(input.context);
  const [place] = await readPlaces(request, { projects, environments: [environment] });
  return { input, features: place === undefined ? [] : evaluated(place, context, new Room()) };
}

/**
 * Evaluates all features of some projects in each of some environments for each of some contexts: a text of the context
 * may hold several values with commas between them.
 * @param changed features and segments that count as they are given here.
 * @throws ApiError 400 where these are too many evaluations.
 */
export async function evaluateForMany(request: Request, input: AdvancedPlaygroundRequest, changed?: Changed) {
  const { projects } = input;
  const environments = [...new Set(input.environments)];
  assertLengths(input.context, ',');
  const { context, ignored } = flatContext(input.context);
  const choices = Object.entries(context).map(([name, sent]) => [name, sent.split(',')] as const);
  const count = choices.reduce((product, [, values]) => product * values.length, 1);
  const places = await readPlaces(request, { projects, environments, contexts: count }, changed);
  // Without a feature, no number of contexts is too many to be asked about, but it may be to be made.
  const isEmpty = places.every((place) => place.features.length === 0);
  const contexts = isEmpty ? [] : (combinationsOf(choices) as FlatContext[]);
  const room = new Room();
  const answers = places.flatMap((place) =>
    contexts.flatMap((each) => {
      room.take(each, place.features.length);
      return evaluated(place, each, room).map((feature) => ({
        ...feature,
        environment: place.environment,
        context: each,
      }));
    }),
  );
  const features = [...Map.groupBy(answers, ({ name }) => name)].map(([name, entries]) => ({
    name,
    projectId: entries[0]?.projectId ?? '',
    environments: Object.fromEntries(Map.groupBy(entries, ({ environment }) => environment)),
  }));
  return { features, input, ...(ignored.length > 0 && { warnings: { invalidContextProperties: ignored } }) };
}

/** Features and segments as a change would leave them; what is archived by it is left out. */
export interface Changed {
  readonly features: readonly Feature[];
  readonly segments: ReadonlyMap<number, Pick<Segment, 'name' | 'constraints'>>;
}

/** The text of everything in a context that has one, and the names of what has none. */
function flatContext({ properties = {}, ...others }: PlaygroundContext) {
  const texts: [string, string][] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === 'string') texts.push([name, value]);
    else ignored.push(name);
  }
  // What stands beside the properties counts more.
  return { context: Object.fromEntries([...Object.entries(properties), ...texts]) as FlatContext, ignored };
}

/** @param separator what stands between the values that a text may hold; without one, it is a single value. */
function assertLengths({ properties = {}, ...others }: PlaygroundContext, separator?: string): void {
  const isTooLong = (sent: string) =>
    (separator === undefined ? [sent] : sent.split(separator)).some((value) => value.length > textLengthMax);
  const beneath = Object.entries(properties).map(([name, value]) => [`properties.${name}`, value] as const);
  const problems = [...Object.entries(others), ...beneath]
    .filter(([, value]) => typeof value === 'string' && isTooLong(value))
    .map(([name]) => ({ message: `At most ${textLengthMax} characters are allowed.`, path: `context.${name}` }));
  if (problems.length > 0) throw invalidRequest(problems);
}

function assertFew(environments: number, features: number, contexts: number): void {
  const evaluations = environments * features * contexts;
  if (features === 0 || evaluations <= evaluationsMax) return;
  throw invalid(
    `These are ${evaluations} evaluations, more than the ${evaluationsMax} that are made at once. Ask about fewer environments (${environments}), features (${features}) or contexts (${contexts}).`,
  );
}

/** Every choice of one value for each name. There may be thousands of names; only those with several values add choices. */
function combinationsOf(choices: readonly (readonly [string, readonly string[]])[]): Record<string, string>[] {
  const first = Object.fromEntries(choices.map(([name, [value = '']]) => [name, value]));
  return choices
    .filter(([, values]) => values.length > 1)
    .reduce<Record<string, string>[]>(
      (chosen, [name, values]) => chosen.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
      [first],
    );
}

/** The features of some projects in an environment, and what explains them. */
interface Place {
  readonly environment: string;
  readonly features: readonly PlacedFeature[];
  readonly explanation: Explanation;
}

type PlacedFeature = ExplainableFeature & { readonly project: string };

/** The features to read, and the number of contexts to evaluate each for. */
interface Asked {
  readonly projects: PlaygroundRequest['projects'];
  readonly environments: readonly string[];
  readonly contexts?: number;
}

/** @throws ApiError 400 where there are more features than are evaluated at once. */
function readPlaces(
  request: Request,
  { projects = '*', environments, contexts = 1 }: Asked,
  changed: Changed = { features: [], segments: new Map() },
): Promise<Place[]> {
  return retryLostRaces(request, async () => {
    const [named, revision] = await Promise.all([
      projects === '*' ? listProjectIds(request) : [...new Set(projects)],
      segmentsRevision(request),
    ]);
    const shelves = await shelvesOf(request, named);
    if (projects === '*') await assertNoneMissing(request, shelves);
    else assertNoneMoved(shelves);
    const count = shelves.reduce((sum, { features }) => sum + [...features.values()].filter(isLive).length, 0);
    assertFew(environments.length, count, contexts);
    const features = await Promise.all(
      environments.map(async (environment) => {
        const placed = await mapChunks(shelves, shelvesAtOnce, (shelf) => placedFeatures(request, shelf, environment));
        return withChanged(placed.flat(), environment, changed).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      }),
    );
    const used = new Set(features.flat().flatMap(({ strategies }) => strategies.flatMap((each) => each.segments)));
    const stored = await segments.some(request, used);
    // One that has changed meanwhile may have done so together with a feature, or because of one.
    if (used.size > 0 && (await segmentsRevision(request)) !== revision) throw new LostRace();
    if (stored.size < used.size) await assertNoneDeleted(request, shelves, features.flat(), stored);
    const found = new Map([...stored].map(([id, segment]) => [id, { ...segment, ...changed.segments.get(id) }]));
    return environments.map((environment, index) => {
      const here = features[index] ?? [];
      return { environment, features: here, explanation: new Explanation({ features: here, segments: found }) };
    });
  });
}

/** @throws LostRace where a feature has changed since the shelf was read. */
async function placedFeatures(request: Request, shelf: Shelf, environment: string): Promise<PlacedFeature[]> {
  const states = await ownStatesOf(request, shelf, environment);
  return [...shelf.features.values()].filter(isLive).map((shelved) => {
    const { name } = shelved.feature;
    const { strategies, variants } = states.get(name) ?? nothing;
    return {
      name,
      project: shelf.project,
      enabled: shelved.summaries.get(environment)?.enabled === true,
      strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder),
      variants: variants.map((variant) => ({ overrides: [], ...variant })),
      delivered: deliveredOf(shelved, environment, deliveredState({ strategies, variants })),
    };
  });
}

function withChanged(placed: readonly PlacedFeature[], environment: string, { features }: Changed): PlacedFeature[] {
  if (features.length === 0) return [...placed];
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  return placed.flatMap((each) => {
    const after = byName.get(each.name);
    if (after === undefined) return [each];
    return after.archivedAt === null ? [placedAs(after, environment)] : [];
  });
}

function placedAs(feature: Feature, environment: string): PlacedFeature {
  const { enabled, strategies, variants } = environmentOfFeature(feature, environment);
  const isIdle = strategies.length > 0 && strategies.every(({ disabled }) => disabled);
  return {
    name: feature.name,
    project: feature.project,
    enabled,
    strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder),
    variants: variants.map((variant) => ({ overrides: [], ...variant })),
    delivered: deliveredFeature(feature, enabled && !isIdle, deliveredState({ strategies, variants })),
  };
}

function isLive({ feature }: ShelvedFeature): boolean {
  return feature.archivedAt === null;
}

const nothing: OwnState = { strategies: [], variants: [] };

/** Room in an answer, which ends the evaluation as soon as it is more than can be sent. */
class Room {
  #left = answerLengthMax;

  /** @throws ApiError 413 where something, as often as it is repeated, does not fit. */
  take(shown: object, times = 1): void {
    this.#left -= times * JSON.stringify(shown).length;
    if (this.#left >= 0) return;
    throw new ApiError('ContentTooLarge', 'The response is too large: ask about fewer features or contexts.');
  }
}

function evaluated({ features, explanation, environment }: Place, { appName, ...texts }: FlatContext, room: Room) {
  const context = evaluationContext({ texts: { appName, ...texts }, properties: {} });
  return features.map((feature) => {
    const { result, strategies, variant, ...explained } = explanation.explain(feature, context);
    const answer = {
      name: feature.name,
      projectId: feature.project,
      ...explained,
      isEnabledInCurrentEnvironment: feature.enabled,
      variant: { ...variant, feature_enabled: explained.isEnabled, featureEnabled: explained.isEnabled },
      strategies: { result, data: strategies.map((strategy) => shownStrategy(strategy, feature, environment)) },
    };
    room.take(answer);
    return answer;
  });
}

function shownStrategy(
  { strategy, ...explained }: ExplainedStrategy,
  { name, project }: PlacedFeature,
  environment: string,
) {
  const { id, title, disabled, parameters } = strategy;
  const place = `/projects/${project}/features/${name}/strategies/edit`;
  return {
    name: strategy.name,
    id,
    ...(title !== null && { title }),
    disabled,
    parameters,
    ...explained,
    // Where the admin UI edits it.
    links: { edit: `${place}?environmentId=${environment}&strategyId=${id}` },
  };
}
