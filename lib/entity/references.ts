import { ApiError, notFound } from '../errors.ts';
import { isHidden, type Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';
import { sha256 } from '../values/sha256.ts';
import * as entityKeys from './keys.ts';

/** A reference to a thing. */
export interface Reference {
  readonly kind: string;
  readonly id: string | number;
  /** The key of the thing, if it must exist. */
  readonly target?: Key;
  /** The project that the thing must belong to, unless it belongs to none. */
  readonly project?: string;
  /** Returns the error for a missing thing; a 404 by default. */
  readonly otherwise?: () => ApiError;
  readonly referrer: Referrer;
}

/** A thing that refers to another one. */
export interface Referrer {
  /** An id that is unique among the referrers of the same thing. */
  readonly by: string;
  /** The name in errors, such as `the feature "checkout" in "production"`. */
  readonly name: string;
  /** Details for lists of referrers. */
  readonly details?: unknown;
  /** True for an archived feature. It does not prevent a removal, since a revival drops deleted things. */
  readonly isArchived?: boolean;
}

/** Returns the referrers that prevent a removal. */
export function withoutArchived(referrers: readonly Referrer[]): Referrer[] {
  return referrers.filter(({ isArchived }) => !isArchived);
}

interface ReferrerItem extends Pick<Referrer, 'name'> {
  /** JSON. */
  readonly details?: string;
}

/**
 * Returns the writes that replace references by others. A reference is an item in the partition of its target, where one Query finds
 * all of them. It is also counted there, so that a removal can have the count as a condition: a Query alone would miss a reference
 * that is written right after it.
 */
export function buildReferenceWrites(before: readonly Reference[], after: readonly Reference[]): Write[] {
  const old = new Map(before.map((reference) => [idOf(reference), reference]));
  const next = new Map(after.map((reference) => [idOf(reference), reference]));
  return [
    ...[...old].flatMap(([id, reference]): Write[] =>
      next.has(id) ? [] : [{ remove: keyOf(reference) }, countWrite(reference, -1)],
    ),
    ...[...next].flatMap(([id, reference]): Write[] => {
      const known = old.get(id);
      if (known === undefined) return [...targetChecks(reference), putWrite(reference), countWrite(reference, 1)];
      if (JSON.stringify(itemOf(known)) === JSON.stringify(itemOf(reference))) return [];
      return [...(known.project === reference.project ? [] : targetChecks(reference)), putWrite(reference)];
    }),
  ];
}

/** Returns the conditions that a thing has no other referrers than these. */
export function buildReferrerChecks(kind: string, id: string | number, referrers: readonly Referrer[]): Write[] {
  const counts = Map.groupBy(referrers, shardOf);
  return Array.from({ length: entityKeys.referrerShards }, (_, shard) => ({
    check: entityKeys.referrerCount(kind, String(id), shard),
    when: { amount: counts.get(shard)?.length ?? 0 },
  }));
}

/** Reads the referrers of a thing, strongly consistently. */
export async function loadReferrers(request: Request, kind: string, id: string | number): Promise<Referrer[]> {
  const partition = entityKeys.referrers(kind, String(id));
  const items = await queryAll<Key & ReferrerItem>(request, partition);
  return items.map(({ sk, name, details }) => ({
    by: sk.slice(partition.prefix.length),
    name,
    ...(details !== undefined && { details: JSON.parse(details) }),
  }));
}

function idOf(reference: Reference): string {
  return keyText(keyOf(reference));
}

function keyOf({ kind, id, referrer }: Reference): Key {
  return entityKeys.referrer(kind, String(id), referrer.by);
}

function itemOf({ referrer: { name, details } }: Reference) {
  return { name, ...(details !== undefined && { details: JSON.stringify(details) }) };
}

function putWrite(reference: Reference): Write {
  return { put: keyOf(reference), item: itemOf(reference) };
}

function targetChecks({ kind, id, target, project, otherwise }: Reference): Write[] {
  // If this fails, the change is decided again, and the decision finds the reason.
  if (target !== undefined && project !== undefined) return [{ check: target, when: { forProject: project } }];
  return target === undefined ? [] : [{ ...buildExistenceCheck(kind, id, target), ...(otherwise && { otherwise }) }];
}

/** Returns the condition that a thing still exists when the transaction is stored. */
export function buildExistenceCheck(kind: string, id: string | number, target: Key): Write {
  return { check: target, when: 'present', otherwise: () => notFound(kind, id) };
}

function countWrite({ kind, id, referrer }: Reference, amount: number): Write {
  return { add: entityKeys.referrerCount(kind, String(id), shardOf(referrer)), amounts: { amount } };
}

/** Returns the shard that counts a referrer; it is always the same one. */
function shardOf({ by }: Referrer): number {
  return Number.parseInt(sha256(by).slice(0, 2), 16) % entityKeys.referrerShards;
}

/** Tells whether the caller may see a referrer: those in hidden projects stay hidden. */
export function isReferrerVisible(request: Request, { details }: Referrer): boolean {
  return !isHidden(request, (details as { project?: string } | undefined)?.project);
}

/** The most referrers that an error names. */
const namedReferrersMax = 10;

/** Returns a 409 that names the referrers of a thing. Hidden referrers are only counted. */
export function inUseError(request: Request, problem: string, referrers: readonly Referrer[]): ApiError {
  const visible = referrers.filter((referrer) => isReferrerVisible(request, referrer));
  const named = visible.slice(0, namedReferrersMax).map(({ name }) => name);
  const more = referrers.length - named.length;
  const rest = `${more} ${named.length > 0 ? 'more' : 'elsewhere'}`;
  return new ApiError('InUseError', `${problem}: ${[...named, ...(more > 0 ? [rest] : [])].join(', ')}.`);
}
