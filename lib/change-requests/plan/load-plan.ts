import type { LegalValues } from '../../context-fields/legal-values.ts';
import { nameTakenError } from '../../entity/names.ts';
import type { Referrer } from '../../entity/references.ts';
import { ApiError } from '../../errors.ts';
import { loadFeatureIn, loadHeads } from '../../features/feature-store.ts';
import type { FeatureHead, StoredFeature } from '../../features/items/feature-items.ts';
import { loadDefaultStrategy } from '../../features/strategies/default-strategy.ts';
import { loadMarkedReferrers } from '../../features/uses/uses.ts';
import { contentOfTemplate, type ReleaseTemplate, releaseTemplates } from '../../release-plans/templates.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { loadSegmentReferences } from '../../segments/administer-segments.ts';
import { type Segment, segments } from '../../segments/segments.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type ChangeRequest, groupChangesByFeature, isSwitchingOn, type RequestedChange } from '../change-request.ts';
import { loadPlannedChange, type PlannedChange } from './actions.ts';
import { inputOf, segmentIdOf, strategySegmentIdsOf } from './base.ts';

/** The parts of a request that its plan depends on. */
export type PlannedRequest = Pick<ChangeRequest, 'project' | 'environment' | 'changes' | 'applied'>;

/** A change with its plan. */
interface LoadedStep {
  readonly change: RequestedChange;
  /** The function that decides about the change; an error if the facts for it could not be read. */
  readonly planned: PlannedChange | ApiError;
}

/** A feature of the request, with the decisions about its changes. */
export interface FeatureFacts {
  readonly name: string;
  readonly stored: StoredFeature | undefined;
  readonly steps: readonly LoadedStep[];
}

/** A segment of the request, with its uses. */
export interface SegmentFacts {
  readonly id: number;
  readonly segment: Versioned<Segment> | undefined;
  readonly referrers: readonly Referrer[];
  /** The legal values for the new content, or the error that refuses the content. */
  readonly legalValues: LegalValues | ApiError;
  readonly changes: readonly RequestedChange[];
}

/** The facts that the changes of a request depend on, as they were read. */
export interface LoadedPlan {
  readonly requested: PlannedRequest;
  readonly features: readonly FeatureFacts[];
  readonly segments: readonly SegmentFacts[];
  /** The parents of new dependencies, by name. */
  readonly parents: ReadonlyMap<string, FeatureHead>;
  /** The segments that strategies will use, by id. */
  readonly used: ReadonlyMap<number, Versioned<Segment>>;
  /** The present templates of new release plans, by id. */
  readonly templates: ReadonlyMap<string, ReleaseTemplate>;
}

/** Reads the facts that the changes of a request depend on. */
export async function loadRequestPlan(request: Request, requested: PlannedRequest): Promise<LoadedPlan> {
  const segmentChanges = Map.groupBy(
    requested.changes.filter(({ feature }) => feature === null),
    segmentIdOf,
  );
  const featureChanges = groupChangesByFeature(requested.changes);
  const [features, loadedSegments, parents, used, templates] = await Promise.all([
    Promise.all([...featureChanges].map(([name, changes]) => loadFeatureFacts(request, requested, name, changes))),
    Promise.all([...segmentChanges].map(([id, changes]) => loadSegmentFacts(request, id, changes, segmentChanges))),
    loadHeads(request, requested.changes.flatMap(parentOf)),
    loadUsedSegments(request, requested),
    releaseTemplates.findSome(request, requested.changes.flatMap(templateIdOf)),
  ]);
  return { requested, features, segments: loadedSegments, parents, used, templates };
}

function parentOf(change: RequestedChange): string[] {
  const input = inputOf(change);
  return input.action === 'addDependency' ? [input.payload.feature] : [];
}

/** Returns the id of the release template that a change copies, in a list that is empty for any other change. */
export function templateIdOf(change: RequestedChange): string[] {
  const input = inputOf(change);
  return input.action === 'addReleasePlan' ? [input.payload.templateId] : [];
}

/**
 * Adds the present content of its release template to a new change. What is approved is this content, so that a template which is
 * edited after the approval changes nothing. Without the template, the change is refused later.
 */
export async function addTemplate(request: Request, change: RequestedChange): Promise<RequestedChange> {
  const [id] = templateIdOf(change);
  const template = id === undefined ? undefined : (await releaseTemplates.find(request, id))?.value;
  return template === undefined ? change : { ...change, template: contentOfTemplate(template) };
}

async function loadUsedSegments(request: Request, { project, environment, changes }: PlannedRequest) {
  const defaultStrategy = changes.some(isSwitchingOn)
    ? await loadDefaultStrategy(request, project, environment)
    : undefined;
  const ids = [...changes.flatMap(strategySegmentIdsOf), ...(defaultStrategy?.strategy.segments ?? [])];
  return segments.findSomeVersioned(request, new Set(ids));
}

async function loadFeatureFacts(
  request: Request,
  { project: projectId, environment }: PlannedRequest,
  featureName: string,
  changes: readonly RequestedChange[],
): Promise<FeatureFacts> {
  const path = { projectId, environment, featureName };
  const [stored, steps] = await Promise.all([
    loadFeatureIn(request, featureName, [environment]),
    Promise.all(
      changes.map(async (change) => {
        const planned = await loadPlannedChange(request, path, change).catch(toRefusal);
        return { change, planned };
      }),
    ),
  ]);
  return { name: featureName, stored, steps };
}

async function loadSegmentFacts(
  request: Request,
  id: number,
  changes: readonly RequestedChange[],
  changedSegments: ReadonlyMap<number, unknown>,
) {
  const [segment, referrers, legalValues] = await Promise.all([
    segments.find(request, id),
    loadMarkedReferrers(withAllProjects(request), segments, id),
    loadLegalContentValues(request, changes.at(-1), changedSegments).catch(toRefusal),
  ]);
  return { id, segment, referrers, legalValues, changes };
}

/**
 * Reads the legal values for the new content of a segment.
 * @throws ApiError if its project is unknown, or if its name is used by a segment that the request does not change.
 */
async function loadLegalContentValues(
  request: Request,
  change: RequestedChange | undefined,
  changedSegments: ReadonlyMap<number, unknown>,
): Promise<LegalValues> {
  const input = change && inputOf(change);
  if (input?.action !== 'updateSegment') return new Map();
  const { name } = input.payload;
  const [legalValues, holdersByName] = await Promise.all([
    loadSegmentReferences(request, input.payload),
    segments.findHolders(withAllProjects(request), 'name', [name]),
  ]);
  const holder = holdersByName.get(name);
  if (holder !== undefined && !changedSegments.has(holder.id)) throw nameTakenError('segment', 'name', name);
  return legalValues;
}

/** Runs a decision, and returns the error that refuses the change, if one does. */
export function attempt<T>(run: () => T): T | ApiError {
  try {
    return run();
  } catch (error) {
    return toRefusal(error);
  }
}

/** Returns an error that refuses a change; other errors are thrown again. */
export function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
