import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, type ErrorDetail, invalid, invalidRequest, truncate } from '../errors.ts';
import { listLiveStrategies } from '../features/environments/feature-environment.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { withActive } from '../features/plans/preview-plan.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../features/read-model/assert-consistent.ts';
import { loadReadModels, type ReadModel, type ReadModelFeature } from '../features/read-model/read-model.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { loadSegmentsRevision, type Segment, segments } from '../segments/segments.ts';
import { LostRace, retryLostRaces } from '../store/transactions/retry.ts';
import { mapChunks } from '../values/lists.ts';
import { playgroundWorkMax, WorkBudget } from './evaluation/budget.ts';
import { buildContextInSession } from './evaluation/context.ts';
import { type ExplainableFeature, type ExplainedStrategy, Explanation } from './evaluation/explanation.ts';
import {
  assertLengths,
  type Choices,
  countCombinations,
  type FlatContext,
  flattenContext,
  generateCombinations,
  pickShortest,
} from './playground-contexts.ts';
import type { AdvancedPlaygroundRequest, PlaygroundRequest } from './playground-schema.ts';
import { type FeatureConfiguration, loadConfigurations } from './snapshot/delivered-states.ts';

/** The most evaluations of a request, as in Unleash. */
const evaluationsMax = 15_000;
/** The number of read models that are read at a time. */
const readModelsAtOnce = 16;
/** The most characters of a response. Each evaluation repeats the strategies of its feature and its context. */
const answerLengthMax = 32 * 1024 * 1024;
/** Nanoseconds for each field of a context. */
const workPerName = 2_000;
/** Milliseconds after which other requests get a turn. */
const turnMs = 50;

/**
 * Evaluates all features of some projects for a context in an environment, and explains the results.
 * @throws ApiError like `evaluateForMany`.
 */
export async function evaluateFor(request: Request, input: PlaygroundRequest) {
  const { environment, projects } = input;
  assertLengths(input.context);
  const { context } = flattenContext(input.context);
  const [evaluable] = await loadEnvironments(request, { projects, environments: [environment] });
  return { input, features: evaluable === undefined ? [] : evaluateAll(evaluable, context, startRun()) };
}

/**
 * Evaluates all features of some projects in several environments and for several contexts: a field of the context may have several
 * values, separated by commas. Milestones of release plans can be evaluated as if they were active.
 * @param changed features and segments that replace the stored ones.
 * @throws ApiError 400 for too many evaluations, too much work or an unknown milestone; 413 for a response that is too large.
 */
export async function evaluateForMany(request: Request, input: AdvancedPlaygroundRequest, changed?: Changed) {
  const { projects, milestones } = input;
  const environments = [...new Set(input.environments)];
  assertLengths(input.context, ',');
  const { context, ignored } = flattenContext(input.context);
  const choices = Object.entries(context).map(([name, sent]) => [name, sent.split(',')] as const);
  const count = countCombinations(choices);
  const evaluable = await loadEnvironments(request, { projects, environments, contexts: count, milestones }, changed);
  const answers = await evaluateInTurns(evaluable, choices, startRun());
  const features = [...Map.groupBy(answers, ({ name }) => name)].map(([name, entries]) => ({
    name,
    projectId: entries[0]?.projectId ?? '',
    environments: Object.fromEntries(Map.groupBy(entries, ({ environment }) => environment)),
  }));
  return { features, input, ...(ignored.length > 0 && { warnings: { invalidContextProperties: ignored } }) };
}

/** Features and segments as a change would leave them. Features that it archives are not evaluated. */
export interface Changed {
  readonly features: readonly Feature[];
  readonly segments: ReadonlyMap<number, Pick<Segment, 'name' | 'constraints'>>;
}

function assertFew(environments: number, features: number, contexts: number): void {
  const evaluations = environments * features * contexts;
  if (features === 0 || evaluations <= evaluationsMax) return;
  throw invalid(
    `These are ${evaluations} evaluations; at most ${evaluationsMax} are allowed. Ask about fewer environments (${environments}), features (${features}) or contexts (${contexts}).`,
  );
}

/** Evaluates the features of environments for every combination of values, and gives other requests a turn from time to time. */
async function evaluateInTurns(environments: readonly PlaygroundEnvironment[], choices: Choices, run: Run) {
  const features = environments.reduce((sum, environment) => sum + environment.features.length, 0);
  // Without features, even a huge number of contexts is a valid question, but they must not be generated.
  if (features === 0) return [];
  new Room().take(pickShortest(choices), features * countCombinations(choices));
  const answers = [];
  let turn = performance.now();
  for (const evaluable of environments) {
    for (const context of generateCombinations(choices)) {
      if (performance.now() - turn > turnMs) {
        await nextTurn();
        turn = performance.now();
      }
      run.room.take(context, evaluable.features.length);
      const { environment } = evaluable;
      answers.push(...evaluateAll(evaluable, context, run).map((feature) => ({ ...feature, environment, context })));
    }
  }
  return answers;
}

/** The features of some projects in an environment, with their explanation. */
interface PlaygroundEnvironment {
  readonly environment: string;
  readonly features: readonly PlaygroundFeature[];
  readonly explanation: Explanation<PlaygroundFeature>;
}

type PlaygroundFeature = ExplainableFeature & { readonly project: string };

/** The features to read, and the number of contexts for which each is evaluated. */
interface FeaturesQuery {
  readonly projects: PlaygroundRequest['projects'];
  readonly environments: readonly string[];
  readonly contexts?: number;
  readonly milestones?: AdvancedPlaygroundRequest['milestones'] | undefined;
}

/** Loads the features of some projects in some environments. @throws ApiError 400 for too many evaluations. */
function loadEnvironments(
  request: Request,
  { projects = '*', environments, contexts = 1, milestones = [] }: FeaturesQuery,
  changed: Changed = { features: [], segments: new Map() },
): Promise<PlaygroundEnvironment[]> {
  return retryLostRaces(request, async () => {
    const [ids, revision] = await Promise.all([
      projects === '*' ? listProjectIds(request) : [...new Set(projects)],
      loadSegmentsRevision(request),
    ]);
    const readModels = await loadReadModels(request, ids);
    if (projects === '*') await assertNoneMissing(request, readModels);
    else assertNoneMoved(readModels);
    const count = readModels.reduce((sum, { features }) => sum + [...features.values()].filter(isLive).length, 0);
    assertFew(environments.length, count, contexts);
    const chosen = new ChosenMilestones(milestones);
    const features = await Promise.all(
      environments.map(async (environment) => {
        const inProjects = await mapChunks(readModels, readModelsAtOnce, (readModel) =>
          loadFeaturesOfProject(request, readModel, environment, chosen),
        );
        return applyChanges(inProjects.flat(), environment, changed).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      }),
    );
    chosen.assertAllFound();
    const used = new Set(
      features.flat().flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments)),
    );
    const stored = await segments.findSome(request, used);
    // If segments have changed meanwhile, a feature may have changed in the same transaction: read again.
    if (used.size > 0 && (await loadSegmentsRevision(request)) !== revision) throw new LostRace();
    if (stored.size < used.size) await assertNoneDeleted(request, readModels, features.flat(), stored);
    const segmentsAfter = new Map(
      [...stored].map(([id, segment]) => [id, { ...segment, ...changed.segments.get(id) }]),
    );
    return environments.map((environment, index) => {
      const ofEnvironment = features[index] ?? [];
      return {
        environment,
        features: ofEnvironment,
        explanation: new Explanation({ features: ofEnvironment, segments: segmentsAfter }),
      };
    });
  });
}

/** Loads the features of a project. @throws LostRace if a feature has changed since the read model was read. */
async function loadFeaturesOfProject(
  request: Request,
  readModel: ReadModel,
  environment: string,
  chosen: ChosenMilestones,
): Promise<PlaygroundFeature[]> {
  const states = await loadConfigurations(request, readModel, environment);
  return [...readModel.features.values()].filter(isLive).map((entry) => {
    const { name } = entry.feature;
    return {
      name,
      project: readModel.project,
      enabled: entry.summaries.get(environment)?.enabled === true,
      ...liveConfigurationOf(chosen.applyTo(states.get(name) ?? emptyConfiguration, name, environment)),
      dependencies: entry.feature.dependencies,
    };
  });
}

/** The milestones that are evaluated as if they were active. */
class ChosenMilestones {
  readonly #all: NonNullable<AdvancedPlaygroundRequest['milestones']>;
  readonly #found = new Set<object>();

  constructor(all: NonNullable<AdvancedPlaygroundRequest['milestones']>) {
    this.#all = all;
  }

  /** Returns the configuration of a feature with the chosen milestone as the active one. */
  applyTo(state: FeatureConfiguration, name: string, environment: string): FeatureConfiguration {
    const { plan } = state;
    const chosen = this.#all.findLast((each) => each.featureName === name && each.environment === environment);
    if (chosen === undefined || !plan?.milestones.some(({ id }) => id === chosen.milestoneId)) return state;
    this.#found.add(chosen);
    return { ...state, plan: withActive(plan, chosen.milestoneId) };
  }

  /** @throws ApiError 400 with all milestones that no evaluated feature has. */
  assertAllFound(): void {
    const problems = this.#all.flatMap((chosen, index): ErrorDetail[] => {
      const message = `The feature "${truncate(chosen.featureName)}" has no such milestone in "${truncate(chosen.environment)}".`;
      return this.#found.has(chosen) ? [] : [{ message, path: `milestones.${index}.milestoneId` }];
    });
    if (problems.length > 0) throw invalidRequest(problems);
  }
}

function applyChanges(
  stored: readonly PlaygroundFeature[],
  environment: string,
  { features }: Changed,
): PlaygroundFeature[] {
  if (features.length === 0) return [...stored];
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  return stored.flatMap((feature) => {
    const after = byName.get(feature.name);
    if (after === undefined) return [feature];
    return after.archivedAt === null ? [toPlaygroundFeature(after, environment)] : [];
  });
}

function toPlaygroundFeature(feature: Feature, environment: string): PlaygroundFeature {
  const state = environmentOfFeature(feature, environment);
  return {
    name: feature.name,
    project: feature.project,
    enabled: state.enabled,
    ...liveConfigurationOf(state),
    dependencies: feature.dependencies,
  };
}

function liveConfigurationOf(state: FeatureConfiguration) {
  return {
    strategies: listLiveStrategies(state),
    variants: state.variants.map((variant) => ({ overrides: [], ...variant })),
  };
}

function isLive({ feature }: ReadModelFeature): boolean {
  return feature.archivedAt === null;
}

const emptyConfiguration: FeatureConfiguration = { strategies: [], variants: [] };

/** The remaining room in a response. It ends the evaluation as soon as the response is too large. */
class Room {
  #remaining = answerLengthMax;

  /** @throws ApiError 413 if an object does not fit the given number of times. */
  take(shown: object, times = 1): void {
    this.#remaining -= times * JSON.stringify(shown).length;
    if (this.#remaining >= 0) return;
    throw new ApiError('ContentTooLarge', 'The response is too large: ask about fewer features or contexts.');
  }
}

/** State that all evaluations of a request share. */
interface Run {
  readonly room: Room;
  readonly budget: WorkBudget;
  /** The session of contexts without a session. */
  readonly randomSession: string;
}

function startRun(): Run {
  const tooMuchWork = invalid(
    'Comparing these values with all constraints takes too much work. Ask about fewer environments, projects or contexts, or use shorter values.',
  );
  return { room: new Room(), budget: new WorkBudget(playgroundWorkMax, tooMuchWork), randomSession: randomUUID() };
}

/** @throws ApiError 400 if the evaluation exceeds the budget of the run; 413 if the response is too large. */
function evaluateAll({ explanation, environment }: PlaygroundEnvironment, texts: FlatContext, run: Run) {
  run.budget.spend(workPerName * Object.keys(texts).length);
  const context = buildContextInSession({ texts, properties: {} }, run);
  return explanation.explainAll(context).map(({ feature, result, strategies, variant, ...explained }) => {
    const answer = {
      name: feature.name,
      projectId: feature.project,
      ...explained,
      isEnabledInCurrentEnvironment: feature.enabled,
      variant: { ...variant, feature_enabled: explained.isEnabled },
      strategies: { result, data: strategies.map((strategy) => toShownStrategy(strategy, feature, environment)) },
    };
    run.room.take(answer);
    return answer;
  });
}

function toShownStrategy(
  { strategy, ...explained }: ExplainedStrategy,
  { name, project }: PlaygroundFeature,
  environment: string,
) {
  const { id, title, disabled, parameters } = strategy;
  const page = `/projects/${project}/features/${name}/strategies/edit`;
  return {
    name: strategy.name,
    id,
    ...(title !== null && { title }),
    disabled,
    parameters,
    ...explained,
    // The page of the admin UI that edits it.
    links: { edit: `${page}?environmentId=${environment}&strategyId=${id}` },
  };
}
