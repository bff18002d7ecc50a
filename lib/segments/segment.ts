/** A segment as the store holds it, under its id. */
export interface SegmentItem {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The one project that may use it; null for all. */
  readonly project: string | null;
  readonly createdAt: string;
  /** JSON: Constraint[]. */
  readonly constraints: string;
}

/** What leads from a segment's name to the segment. */
export interface SegmentNameItem {
  readonly id: number;
  readonly project: string | null;
}
