import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { invalidRequest, notFound } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { formOf, hashOf, newSecret, type SdkTokenKind, type TokenKind, type TokenScope } from './token.ts';
import type { User } from './users.ts';

/** What the store holds of a token, under its hash. */
export interface Token {
  readonly hash: string;
  readonly kind: TokenKind;
  /** What it is called; for an admin token, what events name as the author. */
  readonly name: string;
  /** The user whom it acts as, for a personal access token. */
  readonly userId?: number;
  /** What it may read, for the token of an SDK. */
  readonly projects?: readonly string[];
  readonly environment?: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** When the store may clear it away; until then it is refused by `expiresAt`. */
  readonly expiresAtSeconds?: number;
}

/** What anybody may see of a token: everything but its secret. */
export interface TokenView
  extends Pick<Token, 'kind' | 'name' | 'userId' | 'projects' | 'environment' | 'createdAt' | 'expiresAt'> {
  /** The beginning of the hash, which nobody can sign in with. */
  readonly id: string;
}

/** An admin token, the token of a user, or that of an SDK. */
export type TokenRequest = { readonly expiresAt?: Date | undefined } & (
  | { readonly kind: 'admin'; readonly name: string }
  | { readonly kind: 'user'; readonly user: Pick<User, 'id' | 'username'> }
  | ({ readonly kind: SdkTokenKind; readonly name: string } & TokenScope)
);

const idLength = 16;

export const tokens = entity<Token, string>({
  kind: 'token',
  idOf: ({ hash }) => hash,
  keyOf: keys.token,
  partitions: partitions.tokens(),
  codec: codec<Token>({ projects: true }),
  ofKey: ({ sk }) => ({ hash: sk }),
  events: {
    created: ({ kind }) => (kind === 'user' ? 'pat-created' : 'api-token-created'),
    updated: 'api-token-updated',
    deleted: ({ kind }) => (kind === 'user' ? 'pat-deleted' : 'api-token-deleted'),
  },
  shown: (token) => ({ ...viewOf(token) }),
});

/** What the token of an SDK may read; undefined for any other. */
export function scopeOf({ projects, environment }: Pick<Token, 'projects' | 'environment'>): TokenScope | undefined {
  return projects === undefined || environment === undefined ? undefined : { projects, environment };
}

/** How an admin token is called that comes from the settings of the service. */
const adminTokenName = 'admin';

/** Makes a token. Its secret is shown here and never again; the store knows its hash only. */
export async function createToken(table: Table, request: TokenRequest): Promise<{ secret: string; id: string }> {
  const secret = newSecret('environment' in request ? request : request.kind);
  await tokens.create(table, systemUser, (at) => tokenOf(secret, request, at));
  return { secret, id: idOf(hashOf(secret)) };
}

/** All tokens, oldest first; those that have expired show until the store clears them away. */
export async function listTokens(table: Table): Promise<TokenView[]> {
  const all = await tokens.list(table);
  return all.map(viewOf).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

/**
 * Removes a token; processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 where no token has the id.
 */
export async function revokeToken(table: Table, id: string): Promise<TokenView> {
  if (!/^[0-9a-f]+$/.test(id) || id.length !== idLength) throw notFound('token with the id', id);
  const [item] = await queryAll<Key>(table, { pk: keys.token(id).pk, prefix: id });
  if (item === undefined) throw notFound('token with the id', id);
  const { value } = await tokens.load(table, item.sk);
  await tokens.remove(table, systemUser, value.hash);
  return viewOf(value);
}

/**
 * @throws ApiError 400 that says, without showing them, which of the secrets cannot be admin tokens.
 */
export function assertAdminSecrets(secrets: readonly string[]): void {
  const problems = secrets.flatMap((secret, index) =>
    formOf(secret) === 'admin'
      ? []
      : [
          {
            message: `Admin token ${index + 1} is invalid: an admin token is "*:*." and a secret.`,
          },
        ],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Adds the admin tokens that are missing and leaves all others alone, in any number of processes at once. */
export async function addAdminTokens(table: Table, secrets: readonly string[]): Promise<void> {
  for (const secret of new Set(secrets)) {
    await change(table, systemUser, {
      of: [keys.token(hashOf(secret))],
      read: () => tokens.find(table, hashOf(secret)),
      revisionOf: () => undefined,
      decide: (known, at) =>
        known === undefined
          ? {
              ...tokens.created(tokenOf(secret, { kind: 'admin', name: adminTokenName }, at), 'retry'),
              result: undefined,
            }
          : { writes: [], events: [], result: undefined },
    });
  }
}

function tokenOf(secret: string, request: TokenRequest, createdAt: string): Token {
  const { kind, expiresAt } = request;
  return {
    hash: hashOf(secret),
    kind,
    name: request.kind === 'user' ? request.user.username : request.name,
    ...(request.kind === 'user' && { userId: request.user.id }),
    ...('environment' in request && { projects: request.projects, environment: request.environment }),
    createdAt,
    ...(expiresAt && {
      expiresAt: expiresAt.toISOString(),
      expiresAtSeconds: Math.ceil(expiresAt.getTime() / 1000),
    }),
  };
}

function viewOf({ hash, kind, name, userId, projects, environment, createdAt, expiresAt }: Token): TokenView {
  return {
    id: idOf(hash),
    kind,
    name,
    ...(userId !== undefined && { userId }),
    ...(projects !== undefined && { projects }),
    ...(environment !== undefined && { environment }),
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

function idOf(hash: string): string {
  return hash.slice(0, idLength);
}
