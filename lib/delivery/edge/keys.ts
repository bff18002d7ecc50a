import { itemKey } from '../../store/client/definition.ts';

/** The trace of a signed request, as a hash of what is in no other one. */
export const nonce = (hash: string) => itemKey(`NONCES#${hash}`, 'NONCE');
