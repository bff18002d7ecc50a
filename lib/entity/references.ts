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
  /** The item of the thing, where it must exist. */
  readonly target?: Key;
  /** Project that the thing must be of, unless it is of none. */
  readonly project?: string;
  /** Returns the error for a missing thing; a 404 by default. */
  readonly otherwise?: () => ApiError;
  readonly referrer: Referrer;
}

/** A thing that refers to another one. */
export interface Referrer {
  /** Identifies it among all that refer to the same thing. */
  readonly by: string;
  /** As an error names it, e.g. `the feature "checkout" in "production"`. */
  readonly name: string;
  /** Details that a list of referrers shows. */
  readonly details?: unknown;
  /** True for an archived feature, which is revived without what is gone: it keeps nothing. */
  readonly isArchived?: boolean;
}

/** Returns those who refer to a thing and keep it from being removed. */
export function withoutArchived(referrers: readonly Referrer[]): Referrer[] {
  return referrers.filter(({ isArchived }) => !isArchived);
}

interface ReferrerItem extends Pick<Referrer, 'name'> {
  /** JSON. */
  readonly details?: string;
}

/**
 * The writes that replace some references by others, for the transaction that makes them. Each is an item in the
 * partition of what it refers to, where one Query finds all of them, and is counted there, so that a removal can be
 * conditioned on nobody referring to the thing: a Query alone would miss the writer that comes right after it.
 */
export function referenceWrites(before: readonly Reference[], after: readonly Reference[]): Write[] {
  const old = new Map(before.map((reference) => [idOf(reference), reference]));
  const next = new Map(after.map((reference) => [idOf(reference), reference]));
  return [
    ...[...old].flatMap(([id, reference]): Write[] =>
      next.has(id) ? [] : [{ remove: keyOf(reference) }, counted(reference, -1)],
    ),
    ...[...next].flatMap(([id, reference]): Write[] => {
      const known = old.get(id);
      if (known === undefined) return [...present(reference), put(reference), counted(reference, 1)];
      if (JSON.stringify(itemOf(known)) === JSON.stringify(itemOf(reference))) return [];
      return [...(known.project === reference.project ? [] : present(reference)), put(reference)];
    }),
  ];
}

/** The conditions under which these are still all who refer to a thing. */
export function referrerChecks(kind: string, id: string | number, referrers: readonly Referrer[]): Write[] {
  const counts = Map.groupBy(referrers, shardOf);
  return Array.from({ length: entityKeys.referrerShards }, (_, shard) => ({
    check: entityKeys.referrerCount(kind, String(id), shard),
    when: { amount: counts.get(shard)?.length ?? 0 },
  }));
}

/** Reads the things that refer to a thing, consistently. */
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

function put(reference: Reference): Write {
  return { put: keyOf(reference), item: itemOf(reference) };
}

function present({ kind, id, target, project, otherwise }: Reference): Write[] {
  // Where it is not, the decision finds out why.
  if (target !== undefined && project !== undefined) return [{ check: target, when: { forProject: project } }];
  return target === undefined ? [] : [{ ...existenceCheck(kind, id, target), ...(otherwise && { otherwise }) }];
}

/** A condition of a transaction: the thing is still there, though another writer may be removing it. */
export function existenceCheck(kind: string, id: string | number, target: Key): Write {
  return { check: target, when: 'present', otherwise: () => notFound(kind, id) };
}

function counted({ kind, id, referrer }: Reference, amount: number): Write {
  return { add: entityKeys.referrerCount(kind, String(id), shardOf(referrer)), amounts: { amount } };
}

/** A referrer is always counted in the same of several items, which writers of different features seldom share. */
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
