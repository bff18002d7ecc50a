import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { CheckpointSigner } from '../checkpoint.ts';

/**
 * Opens a private key of Ed25519.
 * @param pem the key in PEM format.
 * @throws Error for anything else; the message does not contain the key.
 */
export function openPrivateKey(pem: string): CheckpointSigner {
  const key = readKey(pem);
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error('it must be a private key of Ed25519 in PEM format.');
  return {
    publicKey: String(createPublicKey(key).export({ type: 'spki', format: 'pem' })),
    sign: async (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

function readKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Returns a new private key of Ed25519 in PEM format. */
export function createCheckpointKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
