import type { Audience } from '../../lib/http/declaration.ts';
import type { Permission } from '../../lib/identity/permissions.ts';
import type { SdkTokenKind } from '../../lib/identity/tokens/token.ts';
import type { World } from '../harness/world.ts';

/** Roles as the contract names them: three that hold everywhere, and two that hold in one project. */
export type SpecifiedRole = 'Admin' | 'Editor' | 'Owner' | 'Member' | 'Viewer';

/** A request that a world has prepared. */
export interface SpecifiedRequest {
  /** The variables of the path, and others, which are left out. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. The first one of a specification has every property that the operation knows. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The project in which a caller needs their role, where the path names none. */
  readonly project?: string;
  /** Number of features that it is about, one by default: its permitted cost grows with it. */
  readonly size?: number;
  /** In how many stages it writes, one after the other; one by default. */
  readonly stages?: number;
  /** Sent again without an idempotency key, it is carried out once more, where the specification says something else. */
  readonly repeats?: true;
  /** Number of waits for the store, if not that of the specification. */
  readonly waits?: number;
}

type MakeRequest = (world: World) => SpecifiedRequest | Promise<SpecifiedRequest>;

/** Contract of an operation, written down from the contract and not from the code. */
export interface Specification {
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** The roles that may call it; or anybody with a valid token; or SDKs with one of theirs; or who signs it; or anybody at all. */
  readonly may:
    | readonly SpecifiedRole[]
    | 'any token'
    | 'client tokens'
    | 'frontend tokens'
    | 'tokens of SDKs'
    | 'signers'
    | 'anyone';
  /** The permissions of which a caller needs one. */
  readonly needs?: readonly Permission[];
  /**
   * Prepares a request that succeeds, with everything that it is about: each time with other things. Without it, the
   * request is its route.
   */
  readonly request?: MakeRequest;
  /** Preparation of what the request does not name, such as an entry of a list. */
  readonly given?: (world: World) => unknown;
  /** Further requests that take another way through the code, by title: they are put to the proofs and benchmarks. */
  readonly others?: Readonly<Record<string, MakeRequest>>;
  /** The places of the body that must be there; what stands below something optional, where that is there. */
  readonly required?: readonly string[];
  /** The place of the body that decides which form the rest of it has: without it, nothing is said of the rest. */
  readonly decides?: string;
  /** The places of the body that may be missing, but not where the rest of it needs them. */
  readonly needed?: readonly string[];
  /** The places of the body where null has a meaning. */
  readonly nullable?: readonly string[];
  /**
   * The same request sent again without an idempotency key: it changes nothing and is answered alike, it is carried out
   * once more, or it is refused. A read changes nothing.
   */
  readonly again?: 'nothing' | 'once more' | 400 | 401 | 404 | 409;
  /**
   * Read of the thing whose version `If-Match` names, if not by the path that the route begins with; or `replies`, if
   * only the replies to its changes show it.
   */
  readonly versionAt?: Specification['route'] | 'replies';
  /** Reason why a mutation changes nothing that has a version, and refuses `If-Match`. */
  readonly unversioned?: string;
  /** Variables of the path for which any name is good. */
  readonly takesAnyName?: readonly string[];
  /** It takes an archived feature as it takes a live one; others answer 404. */
  readonly ofArchived?: true;
  /** The features that `features` of its body may name: one that is none of them refuses the whole request. */
  readonly eachOf?: 'live' | 'archived' | 'all';
  /** The longest body that it takes, in bytes; 102,400 by default. */
  readonly bodyBytesMax?: number;
  /** A body may come compressed. */
  readonly takesGzip?: true;
  /** Number of waits for the store: by default one for a read and two for a mutation. */
  readonly waits?: number;
  /** Real answer of Unleash, if its own document describes something else. */
  readonly misdescribed?: string;
  /** In what it differs from the operation of Unleash 7.6.5, in a few words for the README. */
  readonly differs?: string;
}

/** "By default at most 100 kB". */
export const defaultBodyBytesMax = 102_400;

/** Returns the audience of the operation. */
export function audienceOfCallers({ may }: Pick<Specification, 'may'>): Audience {
  if (may === 'anyone' || may === 'signers') return 'public';
  if (may === 'client tokens') return 'client';
  if (may === 'tokens of SDKs') return 'evaluation';
  return may === 'frontend tokens' ? 'frontend' : 'admin';
}

/** The kinds of tokens of SDKs that an operation takes; none where it is not for SDKs. */
export function sdkKindsOf(specification: Pick<Specification, 'may'>): readonly SdkTokenKind[] {
  const audience = audienceOfCallers(specification);
  if (audience === 'evaluation') return ['frontend', 'client'];
  return audience === 'client' || audience === 'frontend' ? [audience] : [];
}

export interface NamedSpecification extends Specification {
  readonly operationId: string;
}
