import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Checkpoint, SignedCheckpoint } from './checkpoint-schema.ts';
import type { Seal } from './seal.ts';

/** A key that signs checkpoints. */
export interface CheckpointSigner {
  /** The public part of the key, in PEM format. */
  readonly publicKey: string;
  /**
   * Returns the signature of a text in base64: of Ed25519, or of ECDSA with SHA-256.
   * @throws Error if the key cannot be used.
   */
  readonly sign: (text: string) => Promise<string>;
}

/*
 * A checkpoint names a seal by its hash. Somebody who keeps it elsewhere can prove later what was in the history until then.
 */

/** Returns the text that the signature of a checkpoint covers. Verifiers outside build it, so it must not change. */
function statementOf({ number, at, hash }: Pick<Checkpoint, 'number' | 'at' | 'hash'>): string {
  return JSON.stringify(['checkpoint', number, at, hash]);
}

/** Builds the checkpoint of a seal, without a signature. */
export function buildCheckpoint({ number, at, hash }: Seal): Checkpoint {
  return { flagstaff: 'checkpoint', number, at, hash };
}

/**
 * Signs the checkpoint of a seal.
 * @throws Error if the key cannot be used.
 */
export async function signCheckpoint(seal: Seal, signer: CheckpointSigner): Promise<SignedCheckpoint> {
  const checkpoint = buildCheckpoint(seal);
  const signature = await signer.sign(statementOf(checkpoint));
  return { ...checkpoint, signature, keyId: keyIdOf(signer.publicKey) };
}

/** Returns the id of a public key: the beginning of its SHA-256. */
function keyIdOf(publicKey: string): string {
  const spki = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url').slice(0, 16);
}

/** Tells whether a checkpoint has a signature of this public key: of Ed25519, or of ECDSA with SHA-256. */
export function hasSignatureOf(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  const { signature } = checkpoint;
  if (signature === undefined) return false;
  const algorithm = publicKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, Buffer.from(statementOf(checkpoint)), publicKey, Buffer.from(signature, 'base64'));
}
