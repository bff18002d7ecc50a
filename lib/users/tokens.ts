import { change, type Effects } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { countWrites } from '../environments/environment-counts.ts';
import { notFound } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import type { Standing } from '../table/authority.ts';
import type { Key } from '../table/definition.ts';
import * as keys from '../table/keys.ts';
import * as partitions from '../table/partitions.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Write } from '../table/write.ts';
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
import { signatureOf, type User } from './users.ts';

/** What the store holds of a token, under its hash. */
export interface Token {
  readonly hash: string;
  readonly kind: TokenKind;
  /** The name of its type where it is not that of its kind: `backend` is another word for `client`. */
  readonly type?: 'backend';
  /** What it is called; for an admin token, what events name as the author. */
  readonly name: string;
  /** The user whom it acts as, for a personal access token. */
  readonly userId?: number;
  /** Its id among personal access tokens, where clients insist on a number. */
  readonly number?: number;
  /** What its user says it is for. */
  readonly description?: string;
  /** What it may read, for the token of an SDK. */
  readonly projects?: readonly string[];
  readonly environment?: string;
  /** The Edge that it was issued to, for which scope (a hash), and what its secret is derived from besides that Edge's. */
  readonly edge?: string;
  readonly edgeScope?: string;
  readonly salt?: string;
  /** The beginning of its secret, for people who compare it with theirs. */
  readonly beginning?: string;
  /** The secret itself, where it is meant to stay readable: that of a frontend token is public anyway. */
  readonly secret?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** When the store may clear it away; until then it is refused by `expiresAt`. One of an SDK stays, to be prolonged. */
  readonly expiresAtSeconds?: number;
  /** When an SDK has last used it, to within some ten minutes. */
  readonly seenAt?: string;
}

/** What anybody may see of a token: everything but its secret. */
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
    }
);

/** The token of an SDK. */
export interface SdkTokenRequest extends TokenScope {
  readonly kind: SdkTokenKind;
  readonly type?: Token['type'];
  readonly name: string;
  readonly expiresAt?: Date | undefined;
  /** Whether the store keeps the secret. */
  readonly isReadable: boolean;
  /** The Edge that it is issued to. */
  readonly issued?: Required<Pick<Token, 'edge' | 'edgeScope' | 'salt'>>;
}

const idLength = 16;

export const tokens = entity<Token, string>({
  kind: 'token',
  idOf: ({ hash }) => hash,
  keyOf: keys.token,
  partitions: partitions.tokens(),
  codec: codec<Token>({ projects: true }),
  ofKey: ({ sk }) => ({ hash: sk }),
  touched: ['seenAt'],
  // An Edge has one token of a scope.
  claims: ({ edge, edgeScope }) =>
    edge === undefined || edgeScope === undefined
      ? []
      : [{ key: keys.edgeToken(edge, edgeScope), property: 'scope', value: edgeScope }],
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

/** What the token of an SDK may read; undefined for any other. */
export function scopeOf({ projects, environment }: Pick<Token, 'projects' | 'environment'>): TokenScope | undefined {
  return projects === undefined || environment === undefined ? undefined : { projects, environment };
}

/** The condition that a token has not been deleted, where the store has a say. */
export function tokenStands({ hash }: Pick<Token, 'hash'>): Standing {
  return unstoredToken(hash)?.standing ?? { check: keys.token(hash), when: 'present' };
}

/** What creating a token writes: itself, its event, and how many its environment has. */
export function tokenCreated(token: Token, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number } {
  const { version, ...effects } = tokens.created(token, token.createdAt, ifTaken);
  return { ...withCount(effects, token, 1), version };
}

/** What removing a token writes. */
export function tokenRemoved(token: Versioned<Token>): Effects {
  return withCount(tokens.removed(token), token.value, -1);
}

function withCount({ writes, events }: Effects, { environment }: Token, amount: number): Effects {
  return { writes: [...writes, ...(environment ? countWrites('apiTokenCount', environment, amount) : [])], events };
}

/** Makes a token. Its secret is shown here and never again; the store knows its hash only. */
export async function createToken(table: Table, request: TokenRequest): Promise<{ secret: string; id: string }> {
  const secret = newSecret(request.kind);
  const besides = request.kind === 'user' ? [userTouched(request.user.id)] : [];
  await tokens.create(table, systemUser, (at) => tokenOf(secret, request, at), besides);
  return { secret, id: idOf(hashOf(secret)) };
}

function userTouched(id: number): Write {
  return { add: keys.user(id), amounts: { version: 1 }, when: 'present', otherwise: () => notFound('user', id) };
}

/** Who receives a token counts as changed, so that who deletes them at the same moment sees it. */
export function touched(owner: Key, when: { readonly version: number }): Write {
  return { add: owner, amounts: { version: 1 }, when };
}

/** All tokens, oldest first; those that have expired show until the store clears them away. */
export async function listTokens(table: Table): Promise<TokenView[]> {
  return (await loadTokens(table)).map(viewOf);
}

/** All tokens, oldest first. */
export async function loadTokens(table: Table): Promise<Token[]> {
  const all = await tokens.list(table);
  return all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.hash.localeCompare(b.hash));
}

/** The personal access tokens of a user, oldest first. */
export function loadTokensOf(table: Table, userId: number): Promise<Versioned<Token>[]> {
  return loadTokensWhere(table, (token) => token.userId === userId);
}

/** The tokens that were issued to an Edge, oldest first. */
export function loadTokensOfEdge(table: Table, edge: string): Promise<Versioned<Token>[]> {
  return loadTokensWhere(table, (token) => token.edge === edge);
}

async function loadTokensWhere(table: Table, isOne: (token: Token) => boolean): Promise<Versioned<Token>[]> {
  const all = await tokens.listVersioned(table);
  return all
    .filter(({ value }) => isOne(value))
    .toSorted(({ value: a }, { value: b }) => a.createdAt.localeCompare(b.createdAt));
}

/** The token of an id; undefined where no token has it. */
export async function findTokenById(table: Table, id: string): Promise<Versioned<Token> | undefined> {
  if (!/^[0-9a-f]+$/.test(id) || id.length !== idLength) return undefined;
  const items = await queryAll<Key>(table, { pk: keys.token(id).pk, prefix: id });
  return tokens.versionedAmong(items)[0];
}

/**
 * Removes a token; processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 where no token has the id.
 */
export function revokeToken(table: Table, id: string): Promise<TokenView> {
  return removeToken(table, systemUser, async () => {
    const found = await findTokenById(table, id);
    if (found === undefined) throw notFound('token with the id', id);
    return found;
  });
}

/** Removes the token that `load` finds. */
export function removeToken(
  table: Table,
  actor: Actor,
  load: () => Promise<Versioned<Token>>,
  assertMayRemove: (token: Token) => void = () => {},
): Promise<TokenView> {
  return change(table, actor, {
    of: [],
    read: load,
    revisionOf: (before) => before,
    decide: (before) => {
      assertMayRemove(before.value);
      return { ...tokenRemoved(before), result: viewOf(before.value) };
    },
  });
}

/**
 * Removes tokens that are known, in a transaction each. Those that are gone already are left out.
 * @param isUnwanted what is still true of a token that is removed.
 */
export async function removeTokens(
  table: Table,
  actor: Actor,
  known: readonly Versioned<Token>[],
  isUnwanted: (token: Token) => boolean = () => true,
): Promise<void> {
  for (const { value } of known) {
    await change(table, actor, {
      of: [],
      read: () => tokens.find(table, value.hash),
      revisionOf: (before) => before,
      decide: (before) => {
        const isLeft = before === undefined || !isUnwanted(before.value);
        return { ...(isLeft ? { writes: [], events: [] } : tokenRemoved(before)), result: undefined };
      },
    });
  }
}

/** A token as it is stored. */
export function tokenOf(secret: string, request: TokenRequest | SdkTokenRequest, createdAt: string): Token {
  const { kind, expiresAt } = request;
  return {
    hash: hashOf(secret),
    kind,
    ...('type' in request && request.type && { type: request.type }),
    name: request.kind === 'user' ? (request.user.username ?? signatureOf(request.user)) : request.name,
    ...(request.kind === 'user' && { userId: request.user.id }),
    ...('description' in request && { description: request.description }),
    ...('number' in request && { number: request.number }),
    ...('environment' in request && { projects: request.projects, environment: request.environment }),
    ...('issued' in request && request.issued),
    beginning: beginningOf(secret),
    ...('isReadable' in request && request.isReadable && { secret }),
    createdAt,
    ...expiryOf(kind, expiresAt),
  };
}

/** What a token has that expires then. */
export function expiryOf(kind: TokenKind, expiresAt: Date | undefined): Pick<Token, 'expiresAt' | 'expiresAtSeconds'> {
  if (expiresAt === undefined) return {};
  const isCleared = kind === 'admin' || kind === 'user';
  return {
    expiresAt: expiresAt.toISOString(),
    ...(isCleared && { expiresAtSeconds: Math.ceil(expiresAt.getTime() / 1000) }),
  };
}

/** A token in place of its secret, for those who may see it but not use it. */
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

/** What events show of an API token, as Unleash's do. */
function eventDataOf(token: Token): object {
  const { hash, kind, type = kind, name, createdAt, expiresAt } = token;
  const { projects, environment } = scopeOf(token) ?? everything;
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

/** What an admin token is for, in the words of Unleash. */
export const everything: TokenScope = { projects: [allProjects], environment: '*' };

export function idOf(hash: string): string {
  return hash.slice(0, idLength);
}
