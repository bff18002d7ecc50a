import { change } from '../../entity/change.ts';
import { codec } from '../../entity/codec.ts';
import { type Effects, noEffects } from '../../entity/effects.ts';
import { entity } from '../../entity/entity.ts';
import type { AuthorOf } from '../../entity/write-loop.ts';
import { environmentCountWrites } from '../../environments/environment-counts.ts';
import { notFound } from '../../errors.ts';
import { type Actor, systemUser } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { RightsCondition, Write } from '../../store/transactions/write.ts';
import { authorNameOf, type User, users } from '../users.ts';
import * as tokenKeys from './keys.ts';
import {
  allProjects,
  hashOf,
  isPersonal,
  makeSecret,
  maskSecret,
  type PersonalTokenKind,
  type SdkTokenKind,
  startOfSecret,
  type TokenKind,
  type TokenScope,
} from './token.ts';

/** A token in the store, under its hash. */
export interface Token {
  readonly hash: string;
  readonly kind: TokenKind;
  /** Set if the token was created as `backend`, Unleash's newer word for `client`. */
  readonly type?: 'backend';
  /** The name; for an admin token, the author of its events as well. */
  readonly name: string;
  /** The user of a personal access token. */
  readonly userId?: number;
  /** The user who made a token for somebody else; they answer for what it does. */
  readonly madeBy?: number;
  /** The id of a personal access token in the API, which has to be a number. */
  readonly number?: number;
  readonly description?: string;
  /** Projects and environment that an SDK may read. */
  readonly projects?: readonly string[];
  readonly environment?: string;
  /** The Edge that it was issued to, a hash of its scope, and the salt from which its secret follows, with that of the Edge. */
  readonly edge?: string;
  readonly edgeScope?: string;
  readonly salt?: string;
  /** The beginning of its secret, by which people recognize it. */
  readonly beginning?: string;
  /** The secret, if it stays readable: that of a frontend token is public anyway. */
  readonly secret?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** Time from which the store may delete it. SDK tokens lack it: they stay after `expiresAt` and can be prolonged. */
  readonly expiresAtSeconds?: number;
  /** The last use by an SDK, accurate to about ten minutes. */
  readonly seenAt?: string;
}

/** A token without its secret. */
export interface TokenView
  extends Pick<Token, 'kind' | 'name' | 'userId' | 'projects' | 'environment' | 'createdAt' | 'expiresAt' | 'seenAt'> {
  /** The beginning of its hash. */
  readonly id: string;
}

/** Input for an admin token or a personal access token. */
export type TokenRequest = { readonly expiresAt?: Date | undefined } & (
  | { readonly kind: 'admin'; readonly name: string }
  | {
      readonly kind: PersonalTokenKind;
      readonly user: Pick<User, 'id' | 'username' | 'email'>;
      readonly description?: string;
      readonly number?: number;
      readonly madeBy?: number | undefined;
    }
);

/** Input for an SDK token. */
export interface SdkTokenRequest extends TokenScope {
  readonly kind: SdkTokenKind;
  readonly type?: Token['type'];
  readonly name: string;
  readonly expiresAt?: Date | undefined;
  /** Stores the secret, too. */
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
  touchedProperties: ['seenAt'],
  // An Edge has one token of a scope.
  furtherUniqueValues: ({ edge, edgeScope }) =>
    edge === undefined || edgeScope === undefined
      ? []
      : [{ key: tokenKeys.edgeToken(edge, edgeScope), property: 'scope', value: edgeScope }],
  events: {
    created: ({ kind }) => (isPersonal(kind) ? 'pat-created' : 'api-token-created'),
    updated: 'api-token-updated',
    deleted: ({ kind }) => (isPersonal(kind) ? 'pat-deleted' : 'api-token-deleted'),
  },
  eventData: (token) =>
    isPersonal(token.kind)
      ? { ...viewOf(token), ...(token.description !== undefined && { description: token.description }) }
      : eventDataOf(token),
  projectOf: (token) => {
    const [project, ...others] = scopeOf(token)?.projects ?? [];
    return others.length > 0 || project === allProjects ? undefined : project;
  },
  environmentOf: ({ environment }) => environment,
});

/** Returns the scope of an SDK's token; undefined for other kinds. */
export function scopeOf({ projects, environment }: Pick<Token, 'projects' | 'environment'>): TokenScope | undefined {
  return projects === undefined || environment === undefined ? undefined : { projects, environment };
}

/** Returns the condition that a token still exists and has the same expiry. */
export function tokenConditionOf({
  hash,
  kind,
  expiresAt,
}: Pick<Token, 'hash' | 'kind' | 'expiresAt'>): RightsCondition {
  return findUnstoredToken(hash)?.condition ?? { check: tokenKeys.token(hash), when: { same: { kind, expiresAt } } };
}

/** Builds the creation of a token: the token, its event, and the count of its environment. */
export function buildTokenCreation(token: Token, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number } {
  const { version, ...effects } = tokens.buildCreationEffects(token, token.createdAt, ifTaken);
  return { ...withCount(effects, token, 1), version };
}

/** Builds the removal of a token. */
export function buildTokenRemoval(token: Versioned<Token>): Effects {
  return withCount(tokens.buildRemovalEffects(token), token.value, -1);
}

function withCount({ writes, events }: Effects, { environment }: Token, amount: number): Effects {
  return {
    writes: [...writes, ...(environment ? environmentCountWrites('apiTokenCount', environment, amount) : [])],
    events,
  };
}

/** Creates a token, and returns its secret; the store keeps only its hash. */
export async function createToken(request: Request, input: TokenRequest): Promise<{ secret: string; id: string }> {
  const secret = makeSecret(input.kind);
  const others = input.kind === 'admin' ? [] : [touchUser(input.user.id)];
  await tokens.create(request, systemUser, (at) => buildToken(secret, input, at), others);
  return { secret, id: tokenIdOf(hashOf(secret)) };
}

function touchUser(id: number): Write {
  return { add: users.keyOf(id), amounts: { version: 1 }, when: 'present', otherwise: () => notFound('user', id) };
}

/** Returns a write that raises the version of a new token's owner, so that a concurrent deletion of the owner notices it. */
export function touchOwner(owner: Key, when: { readonly version: number }): Write {
  return { add: owner, amounts: { version: 1 }, when };
}

/** Lists all tokens, oldest first; expired ones, too, until the store deletes them. */
export async function listTokens(request: Request): Promise<TokenView[]> {
  return (await loadTokens(request)).map(viewOf);
}

/** Loads all tokens, oldest first. */
export async function loadTokens(request: Request): Promise<Token[]> {
  const all = await tokens.list(request);
  return all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.hash.localeCompare(b.hash));
}

/** Loads the personal access tokens of a user, oldest first. */
export function loadTokensOfUser(request: Request, userId: number): Promise<Versioned<Token>[]> {
  return loadTokensWhere(request, (token) => token.userId === userId);
}

/** Loads the tokens that were issued to an Edge, oldest first. */
export function loadTokensOfEdge(request: Request, edge: string): Promise<Versioned<Token>[]> {
  return loadTokensWhere(request, (token) => token.edge === edge);
}

async function loadTokensWhere(request: Request, isWanted: (token: Token) => boolean): Promise<Versioned<Token>[]> {
  const all = await tokens.listVersioned(request);
  return all
    .filter(({ value }) => isWanted(value))
    .toSorted(({ value: a }, { value: b }) => a.createdAt.localeCompare(b.createdAt));
}

/** Finds a token by its id. */
export async function findTokenById(request: Request, id: string): Promise<Versioned<Token> | undefined> {
  if (!/^[0-9a-f]+$/.test(id) || id.length !== idLength) return undefined;
  const items = await queryAll<Key>(request, { pk: tokenKeys.token(id).pk, prefix: id });
  return tokens.decodeVersionedAmong(request, items)[0];
}

/**
 * Removes a token; processes that know it trust it for a few more seconds (`identityTrustMs`).
 * @throws ApiError 404 if no token has the id.
 */
export function revokeToken(request: Request, id: string): Promise<TokenView> {
  return removeToken(request, systemUser, async () => {
    const token = await findTokenById(request, id);
    if (token === undefined) throw notFound('token with the id', id);
    return token;
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
    items: [],
    read: load,
    revisionOf: (before) => before,
    decide: (before) => {
      assertRemovable(before.value);
      return { ...buildTokenRemoval(before), result: viewOf(before.value) };
    },
  });
}

/**
 * Removes tokens, each in a transaction; those that are gone already are skipped.
 * @param isUnwanted must still hold when a token is removed.
 */
export async function removeTokens(
  request: Request,
  actor: Actor,
  unwanted: readonly Versioned<Token>[],
  isUnwanted: (token: Token) => boolean = () => true,
): Promise<void> {
  for (const { value } of unwanted) {
    await change(request, actor, {
      items: [],
      read: () => tokens.find(request, value.hash),
      revisionOf: (before) => before,
      decide: (before) => {
        const isKept = before === undefined || !isUnwanted(before.value);
        return { ...(isKept ? noEffects : buildTokenRemoval(before)), result: undefined };
      },
    });
  }
}

/** Builds the stored form of a token. */
export function buildToken(secret: string, input: TokenRequest | SdkTokenRequest, createdAt: string): Token {
  const { kind, expiresAt } = input;
  return {
    hash: hashOf(secret),
    kind,
    ...('type' in input && input.type && { type: input.type }),
    ...('user' in input
      ? { name: input.user.username ?? authorNameOf(input.user), userId: input.user.id }
      : { name: input.name }),
    ...('description' in input && { description: input.description }),
    ...('number' in input && { number: input.number }),
    ...('madeBy' in input && input.madeBy && { madeBy: input.madeBy }),
    ...('environment' in input && { projects: input.projects, environment: input.environment }),
    ...('issued' in input && input.issued),
    beginning: startOfSecret(secret),
    ...('isReadable' in input && input.isReadable && { secret }),
    createdAt,
    ...buildExpiry(kind, expiresAt),
  };
}

/** Builds the properties by which a token expires. */
export function buildExpiry(
  kind: TokenKind,
  expiresAt: Date | undefined,
): Pick<Token, 'expiresAt' | 'expiresAtSeconds'> {
  if (expiresAt === undefined) return {};
  const isDeletedByStore = kind === 'admin' || isPersonal(kind);
  return {
    expiresAt: expiresAt.toISOString(),
    ...(isDeletedByStore && { expiresAtSeconds: Math.ceil(expiresAt.getTime() / 1000) }),
  };
}

/** Returns the mask of a token, for people who may see it but not use it. */
export function maskOf(token: Token): string {
  return maskSecret(scopeOf(token) ?? 'admin', token.beginning ?? '', tokenIdOf(token.hash));
}

function viewOf(token: Token): TokenView {
  const { hash, kind, name, userId, projects, environment, createdAt, expiresAt, seenAt } = token;
  return {
    id: tokenIdOf(hash),
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

/** Returns the data of an API token in events, as on Unleash. */
function eventDataOf(token: Token): object {
  const { hash, kind, type = kind, name, createdAt, expiresAt } = token;
  const { projects, environment } = scopeOf(token) ?? adminScope;
  const project = projects.join();
  return {
    id: tokenIdOf(hash),
    tokenName: name,
    type,
    environment,
    project,
    projects,
    createdAt,
    expiresAt: expiresAt ?? null,
  };
}

/** The scope of an admin token, in Unleash's terms. */
export const adminScope: TokenScope = { projects: [allProjects], environment: '*' };

/** Returns the description of a personal access token. Those of `npm run token` have none. */
export function descriptionOf({ description, name }: Pick<Token, 'description' | 'name'>): string {
  return description ?? name;
}

/**
 * Returns the id of a personal access token in the API. Tokens of `npm run token` have no number; the start of the hash serves as one.
 */
export function personalIdOf({ number, hash }: Pick<Token, 'number' | 'hash'>): number {
  return number ?? Number.parseInt(hash.slice(0, 12), 16);
}

export function tokenIdOf(hash: string): string {
  return hash.slice(0, idLength);
}

/** A token that this process accepts or refuses itself, without asking the store: that of the local server. */
export interface UnstoredToken {
  /** Returns the token while it is accepted. */
  find(request: Request): Promise<Token | undefined>;
  /** The condition under which it may change access rights. */
  readonly condition: RightsCondition;
}

const unstoredTokens = new Map<string, UnstoredToken>();

/** Registers a token that is not in the store, for as long as this process lives. */
export function registerUnstoredToken(hash: string, token: UnstoredToken): void {
  unstoredTokens.set(hash, token);
}

export function findUnstoredToken(hash: string): UnstoredToken | undefined {
  return unstoredTokens.get(hash);
}
