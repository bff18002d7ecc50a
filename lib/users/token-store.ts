import { invalidRequest, notFound } from '../errors.ts';
import { commitSystemChange } from '../events/system-change.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll, readItem } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { Write } from '../table/write.ts';
import type { TokenItem } from './caller.ts';
import { hashOf, kindOf, newSecret } from './token.ts';
import type { User } from './user.ts';

/** How an admin token is called that comes from the settings of the service. */
const adminTokenName = 'admin';
const idLength = 16;

/** An admin token, or the token of a user. */
export type TokenRequest = { readonly expiresAt?: Date | undefined } & (
  | { readonly kind: 'admin'; readonly name: string }
  | { readonly kind: 'user'; readonly user: Pick<User, 'id' | 'username'> }
);

/** What may be told of a token: everything but its secret. */
export interface TokenView extends Omit<TokenItem, 'userId'> {
  /** The beginning of the hash, which nothing can be signed in with. */
  readonly id: string;
}

/** Makes a token. Its secret is told here and never again; the store knows its hash only. */
export async function createToken(table: Table, request: TokenRequest): Promise<{ secret: string; id: string }> {
  const secret = newSecret(request.kind);
  await retryLostRaces(table, () => addToken(table, secret, request));
  return { secret, id: idOf(hashOf(secret)) };
}

/** All tokens, oldest first; those that have expired show until the store clears them away. */
export async function listTokens(table: Table): Promise<TokenView[]> {
  const items = await Promise.all(partitions.tokens().map((partition) => queryAll<Key & TokenItem>(table, partition)));
  return items
    .flat()
    .map(viewOf)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

/**
 * Removes a token; processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 where no token has the id.
 */
export async function revokeToken(table: Table, id: string): Promise<TokenView> {
  const unknown = () => notFound('token with the id', id);
  if (!/^[0-9a-f]+$/.test(id) || id.length !== idLength) throw unknown();
  return retryLostRaces(table, async () => {
    const [item] = await queryAll<Key & TokenItem>(table, { pk: keys.token(id).pk, prefix: id });
    if (item === undefined) throw unknown();
    const view = viewOf(item);
    const removal: Write = { remove: keys.token(item.sk), when: 'present', otherwise: unknown };
    await commitSystemChange(table, [removal], {
      type: view.kind === 'admin' ? 'api-token-deleted' : 'pat-deleted',
      preData: { ...view },
    });
    return view;
  });
}

/**
 * @throws ApiError 400 that says, without showing them, which of the secrets cannot be admin tokens.
 */
export function assertAdminSecrets(secrets: readonly string[]): void {
  const problems = secrets.flatMap((secret, index) =>
    kindOf(secret) === 'admin'
      ? []
      : [
          {
            message: `Admin token ${index + 1} is none: an admin token begins with "*:*." and goes on with the secret.`,
          },
        ],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Adds the admin tokens that are missing and leaves all others alone, in any number of processes at once. */
export async function addAdminTokens(table: Table, secrets: readonly string[]): Promise<void> {
  for (const secret of new Set(secrets)) {
    // Another process may be adding it, too: then it is there when we look again.
    await retryLostRaces(table, async () => {
      const known = await readItem(table, keys.token(hashOf(secret)));
      if (known === undefined) await addToken(table, secret, { kind: 'admin', name: adminTokenName });
    });
  }
}

async function addToken(table: Table, secret: string, request: TokenRequest): Promise<void> {
  const { kind, expiresAt } = request;
  const hash = hashOf(secret);
  const item: TokenItem = {
    kind,
    name: request.kind === 'admin' ? request.name : request.user.username,
    ...(request.kind === 'user' && { userId: request.user.id }),
    createdAt: new Date().toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  };
  // The store clears expired tokens away by itself some time later; until then they are refused by `expiresAt`.
  const clearance = expiresAt && { expiresAtSeconds: Math.ceil(expiresAt.getTime() / 1000) };
  await commitSystemChange(table, [{ put: keys.token(hash), item: { ...item, ...clearance }, when: 'absent' }], {
    type: kind === 'admin' ? 'api-token-created' : 'pat-created',
    data: { id: idOf(hash), ...item },
  });
}

function viewOf({ sk, kind, name, createdAt, expiresAt }: Key & TokenItem): TokenView {
  return { id: idOf(sk), kind, name, createdAt, ...(expiresAt !== undefined && { expiresAt }) };
}

function idOf(hash: string): string {
  return hash.slice(0, idLength);
}
