import { findIllegalValues, type LegalValues, loadLegalValues } from '../../context-fields/legal-values.ts';
import { type Reference, type Referrer, referenceWrites } from '../../entity/references.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { type Segment, type SegmentUse, segments } from '../../segments/segments.ts';
import type { Write } from '../../store/transactions/write.ts';
import { isBuiltIn, strategyTypes } from '../../strategy-types/strategy-types.ts';
import type { Feature } from '../feature.ts';
import type { StrategyUpdate } from './strategy-input-schema.ts';
import type { Strategy } from './strategy-schema.ts';

/** Stored facts about the things that a strategy names. */
export interface StrategyReferences {
  readonly typeExists: boolean;
  readonly segments: ReadonlyMap<number, Segment>;
  readonly legalValues: LegalValues;
}

export const noReferences: StrategyReferences = { typeExists: false, segments: new Map(), legalValues: new Map() };

/**
 * Reads the facts about everything that a strategy names; called together with other reads, it shares their request.
 */
export async function loadStrategyReferences(request: Request, input: StrategyUpdate): Promise<StrategyReferences> {
  const [types, found, legalValues] = await Promise.all([
    strategyTypes.some(request, input.name === undefined ? [] : [input.name]),
    segments.some(request, input.segments ?? []),
    loadLegalValues(request, input.constraints ?? []),
  ]);
  return { typeExists: types.size > 0, segments: found, legalValues };
}

/**
 * Checks a strategy, or the changed parts of one, against the things that it refers to.
 * @param parent path of the strategy in the body, unless it is the body itself.
 * @throws ApiError 400 with all problems; 404 where unknown segments are the only ones.
 */
export function assertReferences(
  input: StrategyUpdate,
  references: StrategyReferences,
  project: string,
  parent?: string,
): void {
  const at = (place: string) => (parent === undefined ? place : `${parent}.${place}`);
  const unknown = unknownSegments(input, references, at('segments'));
  const details = [
    ...unknown,
    ...(input.name === undefined || references.typeExists
      ? []
      : [{ message: `There is no strategy type "${input.name.slice(0, 100)}".`, path: at('name') }]),
    ...foreignSegments(input, references, project, at('segments')),
    ...findIllegalValues(input.constraints ?? [], references.legalValues, at('constraints')),
  ];
  const [first] = unknown;
  if (first !== undefined && unknown.length === details.length) {
    throw new ApiError('NotFoundError', first.message, unknown);
  }
  if (details.length > 0) throw invalidRequest(details);
}

function unknownSegments({ segments = [] }: StrategyUpdate, references: StrategyReferences, path: string) {
  return segments.flatMap((id, index): ErrorDetail[] =>
    references.segments.has(id) ? [] : [{ message: `There is no segment "${id}".`, path: `${path}.${index}` }],
  );
}

function foreignSegments(
  input: StrategyUpdate,
  { segments: known }: StrategyReferences,
  project: string,
  path: string,
): ErrorDetail[] {
  return [...new Set(input.segments)].flatMap((id): ErrorDetail[] => {
    const owner = known.get(id)?.project ?? project;
    return owner === project ? [] : [{ message: `The segment ${id} belongs to another project.`, path }];
  });
}

/** Returns the references of strategies in a project: to their segments, and to their types except those that are never removed. */
export function strategyReferences<S extends Pick<Strategy, 'name' | 'segments'>>(
  strategies: readonly S[],
  project: string,
  referrerOf: (users: readonly S[]) => Referrer,
): Reference[] {
  const used = Map.groupBy(
    strategies.flatMap((strategy) => strategy.segments.map((segment) => ({ segment, strategy }))),
    ({ segment }) => segment,
  );
  const types = Map.groupBy(
    strategies.filter(({ name }) => !isBuiltIn(name)),
    ({ name }) => name,
  );
  return [
    ...[...used].map(([id, users]) => ({
      kind: 'segment',
      id,
      target: segments.keyOf(id),
      project,
      referrer: referrerOf(users.map(({ strategy }) => strategy)),
    })),
    ...[...types].map(([id, users]) => ({
      kind: 'strategy type',
      id,
      target: strategyTypes.keyOf(id),
      referrer: referrerOf(users),
    })),
  ];
}

interface Place {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}

/** Strategies, and the project that their feature is in. */
interface PlacedStrategies extends Pick<Place, 'project'> {
  readonly strategies: readonly Strategy[];
}

/**
 * Returns the writes that record the users of segments and strategy types: a feature in an environment is one user of
 * each.
 * @param isArchived true for a feature that may name what is gone.
 */
export function buildStrategyReferenceWrites(
  place: Omit<Place, 'project'>,
  before: PlacedStrategies,
  after: PlacedStrategies,
  isArchived = false,
): Write[] {
  const references = ({ project, strategies }: PlacedStrategies) => referencesOf({ ...place, project }, strategies);
  const next = references(after);
  const unchecked = ({ target: _target, ...reference }: Reference): Reference => reference;
  return referenceWrites(references(before), isArchived ? next.map(unchecked) : next);
}

/**
 * Returns the writes that hold what a revived feature uses: it must be there, and a removal or a change that was decided
 * while the feature was archived is decided again.
 */
export function buildRevivalWrites({ name, project, environments }: Feature): Write[] {
  const references = [...environments].flatMap(([environment, { strategies }]) =>
    referencesOf({ project, feature: name, environment }, strategies),
  );
  return references.flatMap(({ target, project: forProject }): Write[] => {
    if (target === undefined) return [];
    return [{ add: target, amounts: { version: 1 }, when: forProject === undefined ? 'present' : { forProject } }];
  });
}

/** Returns the references of a feature in an environment, with the strategies that make them. */
export function referencesOf({ project, feature, environment }: Place, strategies: readonly Strategy[]): Reference[] {
  const referrer = (users: readonly Strategy[]): Referrer & { readonly details: SegmentUse } => ({
    by: `${feature}#${environment}`,
    name: `the feature "${feature}" in "${environment}"`,
    details: { project, feature, environment, strategies: users.map(({ id, name }) => ({ id, name })) },
  });
  return strategyReferences(strategies, project, referrer);
}
