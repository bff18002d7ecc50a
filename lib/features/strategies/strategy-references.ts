import { findIllegalValues, type LegalValues, loadLegalValues } from '../../context-fields/legal-values.ts';
import { buildReferenceWrites, type Reference, type Referrer } from '../../entity/references.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { type Segment, type SegmentUse, segments } from '../../segments/segments.ts';
import type { Write } from '../../store/transactions/write.ts';
import { isBuiltIn, strategyTypes } from '../../strategy-types/strategy-types.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { listAllStrategies } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import * as featureKeys from '../keys.ts';
import type { StrategyUpdate } from './strategy-input-schema.ts';
import type { Strategy } from './strategy-schema.ts';

/** Facts about the things that a strategy refers to. */
export interface StrategyReferences {
  readonly typeExists: boolean;
  readonly segments: ReadonlyMap<number, Segment>;
  readonly legalValues: LegalValues;
}

export const noReferences: StrategyReferences = { typeExists: false, segments: new Map(), legalValues: new Map() };

/** Reads the facts about the things that a strategy refers to; reads that start in the same tick share one request. */
export async function loadStrategyReferences(request: Request, input: StrategyUpdate): Promise<StrategyReferences> {
  const [types, usedSegments, legalValues] = await Promise.all([
    strategyTypes.findSome(request, input.name === undefined ? [] : [input.name]),
    segments.findSome(request, input.segments ?? []),
    loadLegalValues(request, input.constraints ?? []),
  ]);
  return { typeExists: types.size > 0, segments: usedSegments, legalValues };
}

/**
 * Checks that the things exist to which a strategy, or its changed parts, refers.
 * @param parent the path of the strategy in the body; omitted if it is the body itself.
 * @throws ApiError 400 with all problems; 404 if unknown segments are the only problems.
 */
export function assertReferences(
  input: StrategyUpdate,
  references: StrategyReferences,
  project: string,
  parent?: string,
): void {
  const { unknown, others } = findReferenceProblems(input, references, project, parent);
  const [first] = unknown;
  if (first !== undefined && others.length === 0) throw new ApiError('NotFoundError', first.message, unknown);
  if (unknown.length + others.length > 0) throw invalidRequest([...unknown, ...others]);
}

/**
 * Finds the problems of the things to which a strategy refers: unknown segments, and all others.
 * @param project the project of the strategy; null for a strategy that is not in a project, which can use only segments of the whole
 * service.
 * @param parent the path of the strategy in the body; omitted if it is the body itself.
 */
export function findReferenceProblems(
  input: StrategyUpdate,
  references: StrategyReferences,
  project: string | null,
  parent?: string,
): { readonly unknown: readonly ErrorDetail[]; readonly others: readonly ErrorDetail[] } {
  const at = (field: string) => (parent === undefined ? field : `${parent}.${field}`);
  const others = [
    ...(input.name === undefined || references.typeExists
      ? []
      : [{ message: `There is no strategy type "${input.name.slice(0, 100)}".`, path: at('name') }]),
    ...findForeignSegments(input, references, project, at('segments')),
    ...findIllegalValues(input.constraints ?? [], references.legalValues, at('constraints')),
  ];
  return { unknown: findUnknownSegments(input, references, at('segments')), others };
}

function findUnknownSegments({ segments = [] }: StrategyUpdate, references: StrategyReferences, path: string) {
  return segments.flatMap((id, index): ErrorDetail[] =>
    references.segments.has(id) ? [] : [{ message: `There is no segment "${id}".`, path: `${path}.${index}` }],
  );
}

function findForeignSegments(
  input: StrategyUpdate,
  { segments: usedSegments }: StrategyReferences,
  project: string | null,
  path: string,
): ErrorDetail[] {
  return [...new Set(input.segments)].flatMap((id): ErrorDetail[] => {
    const owner = usedSegments.get(id)?.project ?? project;
    return owner === project ? [] : [{ message: `The segment ${id} belongs to another project.`, path }];
  });
}

/**
 * Builds the references of strategies to their segments, and to their types other than built-in ones.
 * @param project the project of the strategies; null for those that are not in a project.
 */
export function buildStrategyReferences<S extends Pick<Strategy, 'name' | 'segments'>>(
  strategies: readonly S[],
  project: string | null,
  referrerOf: (users: readonly S[]) => Referrer,
): Reference[] {
  const usersBySegment = Map.groupBy(
    strategies.flatMap((strategy) => strategy.segments.map((segment) => ({ segment, strategy }))),
    ({ segment }) => segment,
  );
  const usersByType = Map.groupBy(
    strategies.filter(({ name }) => !isBuiltIn(name)),
    ({ name }) => name,
  );
  return [
    ...[...usersBySegment].map(([id, users]) => ({
      kind: 'segment',
      id,
      target: segments.keyOf(id),
      // No project has an empty id, so this requires a segment of the whole service.
      project: project ?? '',
      referrer: referrerOf(users.map(({ strategy }) => strategy)),
    })),
    ...[...usersByType].map(([id, users]) => ({
      kind: 'strategy type',
      id,
      target: strategyTypes.keyOf(id),
      referrer: referrerOf(users),
    })),
  ];
}

interface Location {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}

type State = Pick<FeatureEnvironment, 'strategies' | 'plan'>;

/** The state of a feature in an environment, and its project. */
interface ProjectState extends Pick<Location, 'project'> {
  /** Missing if there is none. */
  readonly state?: State | undefined;
}

/**
 * Builds the writes that record a feature in an environment as the user of segments, strategy types and a release template.
 * @param isArchived true for an archived feature: it can refer to deleted things, so their existence is not checked.
 */
export function buildStrategyReferenceWrites(
  location: Omit<Location, 'project'>,
  before: ProjectState,
  after: ProjectState,
  isArchived = false,
): Write[] {
  const toReferences = ({ project, state }: ProjectState) =>
    state === undefined ? [] : referencesOf({ ...location, project }, state);
  const next = toReferences(after);
  const unchecked = ({ target: _target, ...reference }: Reference): Reference => reference;
  return buildReferenceWrites(toReferences(before), isArchived ? next.map(unchecked) : next);
}

/**
 * Builds the writes that require the existence of the things that a revived feature refers to. They also raise their
 * versions, so that a removal or change decided while the feature was archived has to be decided again. A release template may be gone,
 * since a plan is a copy.
 */
export function buildRevivalWrites({ name, project, environments }: Feature): Write[] {
  const references = [...environments].flatMap(([environment, state]) =>
    strategyReferencesOf({ project, feature: name, environment }, state),
  );
  return references.flatMap(({ target, project: forProject }): Write[] => {
    if (target === undefined) return [];
    return [{ add: target, amounts: { version: 1 }, when: forProject === undefined ? 'present' : { forProject } }];
  });
}

/** Returns the references of a feature in an environment. */
export function referencesOf(location: Location, state: State): Reference[] {
  return [...strategyReferencesOf(location, state), ...templateReferencesOf(location, state)];
}

/** Returns the references of strategies, those of all milestones included, each with the strategies that refer. */
function strategyReferencesOf(location: Location, state: State): Reference[] {
  const referrer = (users: readonly Strategy[]): Referrer & { readonly details: SegmentUse } => ({
    ...referrerAt(location),
    details: { ...location, strategies: users.map(({ id, name }) => ({ id, name })) },
  });
  return buildStrategyReferences(listAllStrategies(state), location.project, referrer);
}

/** Returns the reference of a plan to its template; none if a migrated plan came without it. */
function templateReferencesOf(location: Location, { plan }: State): Reference[] {
  if (plan === undefined || plan.releasePlanTemplateId === '') return [];
  const { releasePlanTemplateId: id } = plan;
  const referrer = { ...referrerAt(location), details: location };
  return [{ kind: 'release template', id, target: featureKeys.releaseTemplate(id), referrer }];
}

function referrerAt({ feature, environment }: Location) {
  return { by: `${feature}#${environment}`, name: `the feature "${feature}" in "${environment}"` };
}
