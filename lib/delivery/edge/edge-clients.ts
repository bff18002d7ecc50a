import { randomBytes } from 'node:crypto';
import { codec } from '../../entity/codec.ts';
import { entity } from '../../entity/entity.ts';
import { systemUser } from '../../events/actor.ts';
import { loadTokensOfEdge } from '../../identity/tokens/tokens.ts';
import { deleteAccount } from '../../people/delete-account.ts';
import type { Request } from '../../request.ts';

/** An Edge that is known here: it signs its requests with a secret that both have, and is given tokens for them. */
export interface EdgeClient {
  /** The name that it gives itself. */
  readonly id: string;
  /** 32 random bytes in base64url. A signature can be checked only with the secret itself, so that no hash will do. */
  readonly secret: string;
  readonly createdAt: string;
}

/** The part of an Edge that anybody may see. */
export type ShownEdgeClient = Omit<EdgeClient, 'secret'>;

export const edgeClients = entity<EdgeClient, string>({
  kind: 'edge client',
  idOf: ({ id }) => id,
  partition: { pk: 'EDGE_CLIENTS' },
  codec: codec<EdgeClient>({}),
  max: 100,
  // Unleash has none for it; each token that an Edge gets or loses is one.
  events: {},
  shown: shownOf,
});

function shownOf({ secret: _, ...shown }: EdgeClient): ShownEdgeClient {
  return shown;
}

/**
 * Makes an Edge known. The answer is the only one that shows its secret.
 * @throws ApiError 409 where one of that name is known; 400 where there are too many.
 */
export async function createEdgeClient(request: Request, id: string): Promise<EdgeClient> {
  const secret = randomBytes(32).toString('base64url');
  return (await edgeClients.create(request, systemUser, (createdAt) => ({ id, secret, createdAt }))).value;
}

/** All Edges that are known, by name. */
export async function listEdgeClients(request: Request): Promise<ShownEdgeClient[]> {
  return (await edgeClients.list(request)).map(shownOf);
}

/**
 * Forgets an Edge, with the tokens that it was given. It is refused at once; processes that have seen one of the tokens
 * lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 where none of that name is known.
 */
export function deleteEdgeClient(request: Request, id: string): Promise<void> {
  return deleteAccount(request, systemUser, {
    key: edgeClients.keyOf(id),
    tokens: () => loadTokensOfEdge(request, id),
    read: () => edgeClients.load(request, id),
    revisionOf: (found) => found,
    removal: edgeClients.removed,
  });
}
