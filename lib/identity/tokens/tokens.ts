import { change } from '../../entity/change.ts';
import { codec } from '../../entity/codec.ts';
import { entity } from '../../entity/entity.ts';
import { type Effects, noEffects } from '../../entity/step.ts';
import type { AuthorOf } from '../../entity/write-loop.ts';
import { countWrites } from '../../environments/environment-counts.ts';
import { notFound } from '../../errors.ts';
import { type Actor, systemUser } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import type { Standing } from '../../store/transactions/authority.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { signatureOf, type User, users } from '../users.ts';
import * as tokenKeys from './keys.ts';
import {
  allProjects,
  beginningOf,
  hashOf,
  maskedSecret,
  newSecret,
  type SdkTokenKind,
  type TokenKind,
  type TokenScope,
} from './token.ts';
import { unstoredToken } from './unstored-tokens.ts';

/** Token as the store holds it, under its hash. */
export interface Token {
  readonly hash: string;
  readonly kind: TokenKind;
  /** Name of its type, if that is not the name of its kind: `backend` is another word for `client`. */
  readonly type?: 'backend';
  /** Name; of an admin token also the author that events name. */
  readonly name: string;
  /** The user whom it acts as, for a personal access token. */
  readonly userId?: number;
  /** The user who made it, where somebody else acts by it: they answer for what it does. */
  readonly madeBy?: number;
  /** Id among personal access tokens, since clients insist on a number. */
  readonly number?: number;
  /** Purpose, in the words of its user. */
  readonly description?: string;
  /** Projects that the token of an SDK may read. */
  readonly projects?: readonly string[];
  readonly environment?: string;
  /**
   * Edge that it was issued to, a hash of its scope, and the salt from which, with the Edge's secret, its own is derived.
   */
  readonly edge?: string;
  readonly edgeScope?: string;
  readonly salt?: string;
  /** The beginning of its secret, for people who compare it with theirs. */
  readonly beginning?: string;
  /** Secret, if it is meant to stay readable: that of a frontend token is public anyway. */
  readonly secret?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /**
   * Time from which the store may delete it; `expiresAt` decides whether it is refused. Missing for SDK tokens, which
   * stay, to be prolonged.
   */
  readonly expiresAtSeconds?: number;
  /** Time of the last use by an SDK, accurate to about ten minutes. */
  readonly seenAt?: string;
}

/** Public view of a token: everything but its secret. */
export interface TokenView
  extends Pick<Token, 'kind' | 'name' | 'userId' | 'projects' | 'environment' | 'createdAt' | 'expiresAt' | 'seenAt'> {
  /** The beginning of the hash, which gives no access. */
  readonly id: string;
}

/** An admin token, or the token of a user. */
export type TokenRequest = { readonly expiresAt?: Date | undefined } & (
  | { readonly kind: 'admin'; readonly name: string }
  | {
      readonly kind: 'user';
      readonly user: Pick<User, 'id' | 'username' | 'email'>;
      readonly description?: string;
      readonly number?: number;
      readonly madeBy?: number | undefined;
    }
);

/** The token of an SDK. */
export interface SdkTokenRequest extends TokenScope {
  readonly kind: SdkTokenKind;
  readonly type?: Token['type'];
  readonly name: string;
  readonly expiresAt?: Date | undefined;
  /** True if the store keeps the secret. */
  readonly isReadable: boolean;
  /** The Edge that it is issued to. */
  readonly issued?: Required<Pick<Token, 'edge' | 'edgeScope' | 'salt'>>;
}

const idLength = 16;

export const tokens = entity<Token, string>({
  kind: 'token',
  idOf: ({ hash }) => hash,
  keyOf: tokenKeys.token,
  partitions: tokenKeys.tokens(),
  codec: codec<Token>({ projects: true }),
  ofKey: ({ sk }) => ({ hash: sk }),
  touched: ['seenAt'],
  // An Edge has one token of a scope.
  claims: ({ edge, edgeScope }) =>
    edge === undefined || edgeScope === undefined
      ? []
      : [{ key: tokenKeys.edgeToken(edge, edgeScope), property: 'scope', value: edgeScope }],
  events: {
    created: ({ kind }) => (kind === 'user' ? 'pat-created' : 'api-token-created'),
    updated: 'api-token-updated',
    deleted: ({ kind }) => (kind === 'user' ? 'pat-deleted' : 'api-token-deleted'),
  },
  shown: (token) => (token.kind === 'user' ? { ...viewOf(token) } : eventDataOf(token)),
  projectOf: (token) => {
    const [project, ...others] = scopeOf(token)?.projects ?? [];
    return others.length > 0 || project === allProjects ? undefined : project;
  },
  environmentOf: ({ environment }) => environment,
});

/** Returns the scope of an SDK's token; undefined for any other token. */
export function scopeOf({ projects, environment }: Pick<Token, 'projects' | 'environment'>): TokenScope | undefined {
  return projects === undefined || environment === undefined ? undefined : { projects, environment };
}

/** Returns the condition that a token has neither been deleted nor been given another expiry, if the store holds it. */
export function tokenStands({ hash, kind, expiresAt }: Pick<Token, 'hash' | 'kind' | 'expiresAt'>): Standing {
  return unstoredToken(hash)?.standing ?? { check: tokenKeys.token(hash), when: { same: { kind, expiresAt } } };
}

/** Returns the writes that create a token: the token, its event, and the count of its environment. */
export function tokenCreated(token: Token, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number } {
  const { version, ...effects } = tokens.created(token, token.createdAt, ifTaken);
  return { ...withCount(effects, token, 1), version };
}

/** Returns the writes that remove a token. */
export function tokenRemoved(token: Versioned<Token>): Effects {
  return withCount(tokens.removed(token), token.value, -1);
}

function withCount({ writes, events }: Effects, { environment }: Token, amount: number): Effects {
  return { writes: [...writes, ...(environment ? countWrites('apiTokenCount', environment, amount) : [])], events };
}

/** Makes a token. Its secret is shown here and never again; the store knows its hash only. */
export async function createToken(request: Request, wanted: TokenRequest): Promise<{ secret: string; id: string }> {
  const secret = newSecret(wanted.kind);
  const besides = wanted.kind === 'user' ? [userTouched(wanted.user.id)] : [];
  await tokens.create(request, systemUser, (at) => tokenOf(secret, wanted, at), besides);
  return { secret, id: idOf(hashOf(secret)) };
}

function userTouched(id: number): Write {
  return { add: users.keyOf(id), amounts: { version: 1 }, when: 'present', otherwise: () => notFound('user', id) };
}

/**
 * Returns a write that marks the owner of a new token as changed, so that a concurrent deletion of the owner notices
 * it.
 */
export function touched(owner: Key, when: { readonly version: number }): Write {
  return { add: owner, amounts: { version: 1 }, when };
}

/** Lists all tokens, oldest first; expired ones show until the store deletes them. */
export async function listTokens(request: Request): Promise<TokenView[]> {
  return (await loadTokens(request)).map(viewOf);
}

/** Loads all tokens, oldest first. */
export async function loadTokens(request: Request): Promise<Token[]> {
  const all = await tokens.list(request);
  return all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.hash.localeCompare(b.hash));
}

/** Loads the personal access tokens of a user, oldest first. */
export function loadTokensOf(request: Request, userId: number): Promise<Versioned<Token>[]> {
  return loadTokensWhere(request, (token) => token.userId === userId);
}

/** Loads the tokens that were issued to an Edge, oldest first. */
export function loadTokensOfEdge(request: Request, edge: string): Promise<Versioned<Token>[]> {
  return loadTokensWhere(request, (token) => token.edge === edge);
}

async function loadTokensWhere(request: Request, isOne: (token: Token) => boolean): Promise<Versioned<Token>[]> {
  const all = await tokens.listVersioned(request);
  return all
    .filter(({ value }) => isOne(value))
    .toSorted(({ value: a }, { value: b }) => a.createdAt.localeCompare(b.createdAt));
}

/** Finds a token by its id. */
export async function findTokenById(request: Request, id: string): Promise<Versioned<Token> | undefined> {
  if (!/^[0-9a-f]+$/.test(id) || id.length !== idLength) return undefined;
  const items = await queryAll<Key>(request, { pk: tokenKeys.token(id).pk, prefix: id });
  return tokens.versionedAmong(request, items)[0];
}

/**
 * Removes a token; processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 if no token has the id.
 */
export function revokeToken(request: Request, id: string): Promise<TokenView> {
  return removeToken(request, systemUser, async () => {
    const found = await findTokenById(request, id);
    if (found === undefined) throw notFound('token with the id', id);
    return found;
  });
}

/** Removes the token that `load` finds. */
export function removeToken(
  request: Request,
  author: AuthorOf<Versioned<Token>>,
  load: () => Promise<Versioned<Token>>,
  assertRemovable: (token: Token) => void = () => {},
): Promise<TokenView> {
  return change(request, author, {
    of: [],
    read: load,
    revisionOf: (before) => before,
    decide: (before) => {
      assertRemovable(before.value);
      return { ...tokenRemoved(before), result: viewOf(before.value) };
    },
  });
}

/**
 * Removes the given tokens, in one transaction each; those that are gone already are skipped.
 * @param isUnwanted condition that must still hold for a token to be removed.
 */
export async function removeTokens(
  request: Request,
  actor: Actor,
  known: readonly Versioned<Token>[],
  isUnwanted: (token: Token) => boolean = () => true,
): Promise<void> {
  for (const { value } of known) {
    await change(request, actor, {
      of: [],
      read: () => tokens.find(request, value.hash),
      revisionOf: (before) => before,
      decide: (before) => {
        const isLeft = before === undefined || !isUnwanted(before.value);
        return { ...(isLeft ? noEffects : tokenRemoved(before)), result: undefined };
      },
    });
  }
}

/** Returns a token in its stored form. */
export function tokenOf(secret: string, wanted: TokenRequest | SdkTokenRequest, createdAt: string): Token {
  const { kind, expiresAt } = wanted;
  return {
    hash: hashOf(secret),
    kind,
    ...('type' in wanted && wanted.type && { type: wanted.type }),
    name: wanted.kind === 'user' ? (wanted.user.username ?? signatureOf(wanted.user)) : wanted.name,
    ...(wanted.kind === 'user' && { userId: wanted.user.id }),
    ...('description' in wanted && { description: wanted.description }),
    ...('number' in wanted && { number: wanted.number }),
    ...('madeBy' in wanted && wanted.madeBy && { madeBy: wanted.madeBy }),
    ...('environment' in wanted && { projects: wanted.projects, environment: wanted.environment }),
    ...('issued' in wanted && wanted.issued),
    beginning: beginningOf(secret),
    ...('isReadable' in wanted && wanted.isReadable && { secret }),
    createdAt,
    ...expiryOf(kind, expiresAt),
  };
}

/** Returns the properties that make a token expire at a time. */
export function expiryOf(kind: TokenKind, expiresAt: Date | undefined): Pick<Token, 'expiresAt' | 'expiresAtSeconds'> {
  if (expiresAt === undefined) return {};
  const isCleared = kind === 'admin' || kind === 'user';
  return {
    expiresAt: expiresAt.toISOString(),
    ...(isCleared && { expiresAtSeconds: Math.ceil(expiresAt.getTime() / 1000) }),
  };
}

/** Returns the mask of a token in place of its secret, for those who may see it but not use it. */
export function maskedSecretOf(token: Token): string {
  return maskedSecret(scopeOf(token) ?? 'admin', token.beginning ?? '', idOf(token.hash));
}

function viewOf(token: Token): TokenView {
  const { hash, kind, name, userId, projects, environment, createdAt, expiresAt, seenAt } = token;
  return {
    id: idOf(hash),
    kind,
    name,
    ...(userId !== undefined && { userId }),
    ...(projects !== undefined && { projects }),
    ...(environment !== undefined && { environment }),
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(seenAt !== undefined && { seenAt }),
  };
}

/** Returns the data that events show of an API token, the same as Unleash's. */
function eventDataOf(token: Token): object {
  const { hash, kind, type = kind, name, createdAt, expiresAt } = token;
  const { projects, environment } = scopeOf(token) ?? adminScope;
  const project = projects.join();
  return {
    id: idOf(hash),
    tokenName: name,
    type,
    environment,
    project,
    projects,
    createdAt,
    expiresAt: expiresAt ?? null,
  };
}

/** Scope of an admin token, in Unleash's terms. */
export const adminScope: TokenScope = { projects: [allProjects], environment: '*' };

export function idOf(hash: string): string {
  return hash.slice(0, idLength);
}
