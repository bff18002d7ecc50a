import { itemKey } from '../../store/client/definition.ts';

/** Claims the nonce of a signed request, by its hash, so that the request is accepted once. */
export const nonce = (hash: string) => itemKey(`NONCES#${hash}`, 'NONCE');
