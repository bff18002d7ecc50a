import { ApiError } from '../errors.ts';
import type { StoredFeature } from './feature-items.ts';

/** The versions of a feature of which it must have one for a change to be wanted; undefined where any will do. */
export type ExpectedVersions = ReadonlySet<number> | undefined;

/** @throws ApiError 412 where the feature is not what the caller has seen; its present version is for another answer. */
export function requireVersion({ feature, revision }: StoredFeature, expected: ExpectedVersions): void {
  if (expected === undefined || expected.has(revision.version)) return;
  throw new ApiError('PreconditionFailed', `The feature "${feature.name}" was changed since; read it again.`);
}

/** What a change of a feature results in, and the version that the feature has then. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: number;
}
