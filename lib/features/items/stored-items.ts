import type { Feature } from '../feature.ts';

/** A feature's own item: the fields, the summaries of environments, and the small parts. */
export interface FeatureItem
  extends Pick<Feature, 'name' | 'project' | 'type' | 'stale' | 'impressionData' | 'createdAt' | 'archivedAt'> {
  /** JSON: Actor. */
  readonly createdBy: string;
  /** JSON: Lifecycle. */
  readonly lifecycle: string;
  readonly description?: string | null;
  /** JSON: Tag[]. */
  readonly tags?: string;
  /** JSON: Stage[]; missing if the current stage implies them. */
  readonly stages?: string;
  /** JSON: Dependency[]. */
  readonly dependencies?: string;
  /** JSON: FeatureLink[]; missing if there has never been one. */
  readonly links?: string;
  /** JSON: ImpactChart[]; missing if there are none. */
  readonly charts?: string;
  /** Marks the event that the feature is older than the expected lifetime of its type. */
  readonly potentiallyStale?: boolean;
  /** Incremented by every change of any part of the feature, and when another feature begins or ceases to depend on it. */
  readonly version: number;
  /** The id of the first event; only if a deleted feature had the same name. */
  readonly firstEventId?: number;
  readonly lastEventId: number;
  readonly eventCount: number;
  /** The link of its last events (lib/events/event-chain.ts); missing until the first change by release 0.7 or later. */
  readonly link?: string;
  /** Number of features that depend on it. */
  readonly childCount?: number;
  /** JSON: the ids of the scheduled change requests that change this feature. */
  readonly schedules?: string | undefined;
  /** The id of the last event on the server that it was migrated from; 0 for none, missing if it was created here. */
  readonly importedEventId?: number;
  /** The checksum of its item in the read model of its project. */
  readonly mark: number;
  /** JSON: pairs of an environment and its EnvironmentSummary. */
  readonly environments: string;
  /** JSON: pairs of a part that has an item of its own and the version that wrote it. */
  readonly parts: string;
}

/** Part of a feature that has an item of its own. */
export interface FeaturePartItem {
  /** The text of a description; other parts as JSON. */
  readonly value: string;
  readonly version: number;
}

/** The configuration of a feature in one environment, whether it is on there or not. */
export interface FeatureEnvironmentItem {
  /** JSON: Strategy[]. */
  readonly strategies: string;
  /** JSON: FeatureVariant[]. */
  readonly variants: string;
  /** JSON: ReleasePlan; missing if there is none. */
  readonly plan?: string;
  /** JSON: Safeguard[]; missing if there are none. */
  readonly safeguards?: string;
  /** The version of the feature that wrote it. */
  readonly version: number;
}

/**
 * The item that replaces a deleted feature's own item. The next feature of the name continues its counters, so that ETags
 * of the two never match and their events stay separate.
 */
export interface TombstoneItem {
  readonly deleted: true;
  /** The project of the deleted feature: a caller who must not see this project must not learn the name. */
  readonly project: string;
  readonly version: number;
  readonly lastEventId: number;
  readonly link?: string;
}
