import type { Event } from '../../../lib/events/event-schema.ts';
import type { FeatureVariant } from '../../../lib/features/environments/variant-schema.ts';
import type { PlanMilestone, ReleasePlan } from '../../../lib/features/plans/release-plan.ts';
import type { StrategyInput } from '../../../lib/features/strategies/strategy-input-schema.ts';
import type { StrategyOrder } from '../../../lib/features/strategies/strategy-schema.ts';
import type { Tag } from '../../../lib/tags/tag-schema.ts';
import type { Reply } from '../../harness/gateway.ts';

/** Fields that an update may change. */
export interface FieldChange {
  readonly description?: string;
  readonly type?: string;
  readonly stale?: boolean;
  readonly impressionData?: boolean;
  readonly archived?: boolean;
}

/** Feature in an import file; omitted fields stay as they are. */
export interface ImportedState {
  readonly name: string;
  readonly fields: FieldChange;
  readonly enabled?: boolean;
  readonly variants?: readonly FeatureVariant[];
  readonly strategies: readonly StrategyInput[];
  /** Values of the type `simple`; either all features of a file have them or none. */
  readonly tags?: readonly string[];
}

/** Fields that a change of a strategy sets. */
export type StrategyChange = Partial<Pick<StrategyInput, 'name' | 'title' | 'disabled' | 'sortOrder' | 'parameters'>>;

interface Place {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}
type InProject = Pick<Place, 'project' | 'environment'>;

/** Template of release plans; each of its strategies has a group that is named after the feature. */
export interface Template extends Pick<ReleasePlan, 'id' | 'name' | 'description'> {
  readonly milestones: readonly Omit<PlanMilestone, 'id'>[];
}

/** Request of a client, or of the clock of the service. */
export type ClientRequest =
  | ({ readonly kind: 'update'; readonly change: FieldChange } & Omit<Place, 'environment'>)
  | ({ readonly kind: 'create'; readonly fields: Omit<FieldChange, 'stale' | 'archived'> } & Omit<Place, 'environment'>)
  | ({ readonly kind: 'archive' } & Omit<Place, 'environment'>)
  | ({ readonly kind: 'move'; readonly newProject: string } & Omit<Place, 'environment'>)
  | ({ readonly kind: 'clone'; readonly name: string; readonly replaceGroupId: boolean } & Omit<Place, 'environment'>)
  | { readonly kind: 'revive' | 'delete'; readonly feature: string }
  | ({ readonly kind: 'variants'; readonly variants: readonly FeatureVariant[] } & Place)
  | ({ readonly kind: 'add strategy'; readonly strategy: StrategyInput } & Place)
  | ({
      readonly kind: 'update strategy' | 'patch strategy';
      readonly strategyId: string;
      readonly change: StrategyChange;
    } & Place)
  | ({ readonly kind: 'delete strategy'; readonly strategyId: string } & Place)
  | ({ readonly kind: 'order strategies'; readonly order: StrategyOrder } & Place)
  | { readonly kind: 'add tag'; readonly feature: string; readonly tag: Tag }
  | ({ readonly kind: 'bulk off'; readonly features: readonly string[] } & InProject)
  | ({ readonly kind: 'import'; readonly features: readonly ImportedState[] } & InProject)
  | ({ readonly kind: 'on' | 'off' } & Place)
  | ({ readonly kind: 'add plan'; readonly templateId: string } & Place)
  | ({ readonly kind: 'start milestone'; readonly planId: string; readonly milestoneId: string } & Place)
  | ({ readonly kind: 'pause plan' | 'resume plan' | 'remove plan'; readonly planId: string } & Place)
  | ({
      readonly kind: 'time milestone';
      readonly milestoneId: string;
      readonly targetId: string;
      readonly minutes: number;
    } & Place)
  | ({ readonly kind: 'untime milestone'; readonly milestoneId: string } & Place)
  | { readonly kind: 'clock'; readonly now: string; readonly features: readonly string[] }
  | ({ readonly kind: 'default strategy'; readonly strategy: StrategyInput } & InProject)
  | ({ readonly kind: 'add environment'; readonly strategy?: StrategyInput } & InProject)
  | ({ readonly kind: 'read variants' } & Place)
  | { readonly kind: 'read events'; readonly feature: string; readonly limit?: number }
  | { readonly kind: 'read archive'; readonly project: string }
  | { readonly kind: 'read environments' };

export type RequestOf<Kind extends ClientRequest['kind']> = Extract<ClientRequest, { kind: Kind }>;

/** Request with its answer. */
export interface AnsweredCall {
  readonly number: number;
  /** Author of the call. A client makes one call at a time, and no two in the same millisecond. */
  readonly client: string;
  /** Its idempotency key: what is sent with one key several times is to be carried out once. */
  readonly key?: string;
  /** The version that the feature must have for the change to be wanted. */
  readonly ifMatch?: number;
  readonly request: ClientRequest;
  /** Ticks of one clock for all clients, which never shows the same time twice: the real-time order. */
  readonly begin: number;
  readonly end: number;
  /** The same in milliseconds of the clock that the service dates events by. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly answer: Pick<Reply, 'status' | 'text' | 'body'> & {
    /** Version in the entity tag, if there is one. */
    readonly version?: number;
  };
}

/** Initial state before the first call, and facts that never change. */
export interface Facts {
  /** Environments in their order. */
  readonly environments: readonly { readonly name: string; readonly type: string; readonly sortOrder: number }[];
  readonly projects: readonly {
    readonly id: string;
    readonly defaultStickiness: string;
    readonly environments: readonly string[];
  }[];
  /** Templates from which features get plans. */
  readonly templates: readonly Template[];
  /** Features that the clients work on, none of which exists at first, with the projects that they are in mostly. */
  readonly features: readonly { readonly name: string; readonly project: string }[];
}

/** All calls on one store, and the events that it holds after the last of them. */
export interface History {
  readonly facts: Facts;
  readonly calls: readonly AnsweredCall[];
  /** Events by rising id. */
  readonly featureEvents: ReadonlyMap<string, readonly Event[]>;
  readonly serviceEvents: readonly Event[];
  /** True if requests to the store failed, so that a call may get a 503 that no other call caused. */
  readonly isFaulty: boolean;
}

/** Tells whether a call was carried out, was refused, or may have been either. */
export function outcomeOf({ answer: { status } }: AnsweredCall): 'done' | 'refused' | 'unknown' {
  if (status >= 500) return 'unknown';
  return status >= 400 ? 'refused' : 'done';
}

/** Returns the features that a request names. */
export function featuresNamed(request: ClientRequest): readonly string[] {
  if (request.kind === 'clone') return [...new Set([request.feature, request.name])];
  if ('feature' in request) return [request.feature];
  if (request.kind === 'bulk off' || request.kind === 'clock') return request.features;
  return request.kind === 'import' ? request.features.map(({ name }) => name) : [];
}

/** Returns the feature that an answer shows. */
export function featureAnswered(request: ClientRequest): string | undefined {
  if (request.kind === 'clone') return request.name;
  return 'feature' in request ? request.feature : undefined;
}

/** Returns the strategies that a request names. */
export function strategiesNamed(request: ClientRequest): readonly string[] {
  if ('strategyId' in request) return [request.strategyId];
  return request.kind === 'order strategies' ? request.order.map(({ id }) => id) : [];
}

/** Returns the parts of a feature that a request names, of which a refusal may tell. */
export function partsNamed(request: ClientRequest): readonly string[] {
  const { planId, milestoneId, targetId }: Partial<Record<'planId' | 'milestoneId' | 'targetId', string>> =
    'planId' in request || 'milestoneId' in request ? request : {};
  return [...strategiesNamed(request), ...[planId, milestoneId, targetId].filter((id) => id !== undefined)];
}
