import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, invalid } from '../errors.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../features/shelf/agreement.ts';
import { type Shelf, type ShelvedFeature, shelvesOf } from '../features/shelf/shelf.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { type Segment, segments, segmentsRevision } from '../segments/segments.ts';
import { LostRace, retryLostRaces } from '../store/transactions/retry.ts';
import { mapChunks } from '../values/chunks.ts';
import { playgroundWorkMax, WorkBudget } from './evaluation/budget.ts';
import { buildContextInSession } from './evaluation/context.ts';
import { type ExplainableFeature, type ExplainedStrategy, Explanation } from './evaluation/explanation.ts';
import {
  assertLengths,
  type Choices,
  combinationCount,
  combinationsOf,
  type FlatContext,
  flatContext,
  shortestOf,
} from './playground-contexts.ts';
import type { AdvancedPlaygroundRequest, PlaygroundRequest } from './playground-schema.ts';
import { type OwnState, ownStatesOf } from './snapshot/delivered-states.ts';

/** The most evaluations of a request, as in Unleash. */
const evaluationsMax = 15_000;
/** The number of shelves that are read at the same time. */
const shelvesAtOnce = 16;
/** The most characters of an answer: each evaluation repeats the strategies of its feature, and its context. */
const answerLengthMax = 32 * 1024 * 1024;
/** Nanoseconds that each name of a context takes. */
const workPerName = 2_000;
/** Milliseconds after which other requests have a turn. */
const turnMs = 50;

/**
 * Evaluates all features of some projects for a context in an environment, and explains the results.
 * @throws as `evaluateForMany` does.
 */
export async function evaluateFor(request: Request, input: PlaygroundRequest) {
  const { environment, projects } = input;
  assertLengths(input.context);
  const { context } = flatContext(input.context);
  const [place] = await readPlaces(request, { projects, environments: [environment] });
  return { input, features: place === undefined ? [] : evaluated(place, context, newRun()) };
}

/**
 * Evaluates all features of some projects in each of some environments for each of some contexts: a text of the context
 * may hold several values with commas between them.
 * @param changed features and segments that count as they are given here.
 * @throws ApiError 400 where these are too many evaluations, or take too much work; 413 where they do not fit into an answer.
 */
export async function evaluateForMany(request: Request, input: AdvancedPlaygroundRequest, changed?: Changed) {
  const { projects } = input;
  const environments = [...new Set(input.environments)];
  assertLengths(input.context, ',');
  const { context, ignored } = flatContext(input.context);
  const choices = Object.entries(context).map(([name, sent]) => [name, sent.split(',')] as const);
  const count = combinationCount(choices);
  const places = await readPlaces(request, { projects, environments, contexts: count }, changed);
  const answers = await evaluatedInTurns(places, choices, newRun());
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

function assertFew(environments: number, features: number, contexts: number): void {
  const evaluations = environments * features * contexts;
  if (features === 0 || evaluations <= evaluationsMax) return;
  throw invalid(
    `These are ${evaluations} evaluations, more than the ${evaluationsMax} that are made at once. Ask about fewer environments (${environments}), features (${features}) or contexts (${contexts}).`,
  );
}

/** Evaluates the features of some places for every choice of values, and gives other requests a turn now and then. */
async function evaluatedInTurns(places: readonly Place[], choices: Choices, run: Run) {
  const features = places.reduce((sum, place) => sum + place.features.length, 0);
  // Without a feature, no number of contexts is too many to be asked about, but it may be to be made.
  if (features === 0) return [];
  new Room().take(shortestOf(choices), features * combinationCount(choices));
  const answers = [];
  let turn = performance.now();
  for (const place of places) {
    for (const context of combinationsOf(choices)) {
      if (performance.now() - turn > turnMs) {
        await nextTurn();
        turn = performance.now();
      }
      run.room.take(context, place.features.length);
      const { environment } = place;
      answers.push(...evaluated(place, context, run).map((feature) => ({ ...feature, environment, context })));
    }
  }
  return answers;
}

/** The features of some projects in an environment, and what explains them. */
interface Place {
  readonly environment: string;
  readonly features: readonly PlacedFeature[];
  readonly explanation: Explanation<PlacedFeature>;
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
      dependencies: shelved.feature.dependencies,
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
  return {
    name: feature.name,
    project: feature.project,
    enabled,
    strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder),
    variants: variants.map((variant) => ({ overrides: [], ...variant })),
    dependencies: feature.dependencies,
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

/** The part of a request that its evaluations share. */
interface Run {
  readonly room: Room;
  readonly budget: WorkBudget;
  /** The session of the contexts without one. */
  readonly randomSession: string;
}

function newRun(): Run {
  const tooMuch = invalid(
    'To compare these values with all constraints takes too much work. Ask about fewer environments, projects or contexts, or about shorter values.',
  );
  return { room: new Room(), budget: new WorkBudget(playgroundWorkMax, tooMuch), randomSession: randomUUID() };
}

/** @throws ApiError 400 where it takes more work than the run has left, 413 where there is no room for the answer. */
function evaluated({ explanation, environment }: Place, texts: FlatContext, run: Run) {
  run.budget.spend(workPerName * Object.keys(texts).length);
  const context = buildContextInSession({ texts, properties: {} }, run);
  return explanation.explainAll(context).map(({ feature, result, strategies, variant, ...explained }) => {
    const answer = {
      name: feature.name,
      projectId: feature.project,
      ...explained,
      isEnabledInCurrentEnvironment: feature.enabled,
      variant: { ...variant, feature_enabled: explained.isEnabled },
      strategies: { result, data: strategies.map((strategy) => shownStrategy(strategy, feature, environment)) },
    };
    run.room.take(answer);
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
