import { randomBytes } from 'node:crypto';
import { codec } from '../../entity/codec.ts';
import { entity } from '../../entity/entity.ts';
import { systemUser } from '../../events/actor.ts';
import { loadTokensOfEdge } from '../../identity/tokens/tokens.ts';
import { deleteAccount } from '../../people/delete-account.ts';
import type { Request } from '../../request.ts';

/** A registered Edge. It signs its requests with a shared secret, and gets tokens for them. */
export interface EdgeClient {
  /** The name of the client. */
  readonly id: string;
  /** 32 random bytes in base64url. Signatures are verified with the secret itself, so that a hash is not enough. */
  readonly secret: string;
  readonly createdAt: string;
}

/** An Edge without its secret. */
export type ShownEdgeClient = Omit<EdgeClient, 'secret'>;

export const edgeClients = entity<EdgeClient, string>({
  kind: 'edge client',
  idOf: ({ id }) => id,
  partition: { pk: 'EDGE_CLIENTS' },
  codec: codec<EdgeClient>({}),
  max: 100,
  // Unleash has no events for it. Each token that an Edge gets or loses has one.
  events: {},
  eventData: toShown,
});

function toShown({ secret: _, ...shown }: EdgeClient): ShownEdgeClient {
  return shown;
}

/**
 * Registers an Edge. Only this result shows its secret.
 * @throws ApiError 409 for a name in use; 400 for too many Edges.
 */
export async function createEdgeClient(request: Request, id: string): Promise<EdgeClient> {
  const secret = randomBytes(32).toString('base64url');
  return (await edgeClients.create(request, systemUser, (createdAt) => ({ id, secret, createdAt }))).value;
}

/** Lists all registered Edges by name. */
export async function listEdgeClients(request: Request): Promise<ShownEdgeClient[]> {
  return (await edgeClients.list(request)).map(toShown);
}

/**
 * Deletes an Edge and its tokens. Its requests are refused at once; processes that have used one of the tokens trust it for a few
 * seconds more (`identityTrustMs`).
 * @throws ApiError 404 for an unknown name.
 */
export function deleteEdgeClient(request: Request, id: string): Promise<void> {
  return deleteAccount(request, systemUser, {
    key: edgeClients.keyOf(id),
    tokens: () => loadTokensOfEdge(request, id),
    read: () => edgeClients.load(request, id),
    revisionOf: (edge) => edge,
    removal: edgeClients.buildRemovalEffects,
  });
}
