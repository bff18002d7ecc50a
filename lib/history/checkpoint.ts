import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as v from 'valibot';
import type { Seal, SealHead } from './seal.ts';

/*
 * A checkpoint names a seal by its hash. Somebody who keeps it elsewhere can prove later what was in the history until then. Verifiers
 * outside read it, so its format must not change.
 */

/** The statement of a checkpoint. */
export interface CheckpointStatement {
  /** The number of the seal. */
  readonly number: number;
  /** The time of the seal, ISO 8601. */
  readonly at: string;
  /** The hash of the seal. */
  readonly hash: string;
}

const time = v.pipe(v.string(), v.isoTimestamp());

/** A seal in a checkpoint that keeps all seals, so that a verification names what was altered. */
const keptSeal = v.object({
  ...{ number: v.number(), at: time, previous: v.string(), count: v.number(), root: v.string() },
  leaves: v.string(),
});

/** A checkpoint as a file has it. */
export const checkpointSchema = v.object({
  flagstaff: v.literal('checkpoint'),
  ...{ number: v.number(), at: time, hash: v.string() },
  /** The signature of the statement in base64, and the id of its key; both are missing in a checkpoint without a signature. */
  signature: v.optional(v.string()),
  keyId: v.optional(v.string()),
  seals: v.optional(v.array(keptSeal)),
});
export type Checkpoint = v.InferOutput<typeof checkpointSchema>;

/** A seal with its leaves, from a checkpoint that keeps all seals. */
export type KeptSeal = SealHead & { readonly leaves: string };

/** Returns the text that the signature of a checkpoint covers. */
export function statementOf({ number, at, hash }: CheckpointStatement): string {
  return JSON.stringify(['checkpoint', number, at, hash]);
}

/** Builds the checkpoint of a seal, without a signature. */
export function buildCheckpoint({ number, at, hash }: Seal): Checkpoint {
  return { flagstaff: 'checkpoint', number, at, hash };
}

/** Returns the id of a key: the beginning of the SHA-256 of its public part. */
export function keyIdOf(key: KeyObject): string {
  const spki = createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url').slice(0, 16);
}

/** Tells whether a checkpoint has a signature of this public key: of Ed25519, or of ECDSA with SHA-256. */
export function hasSignatureOf(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  const { signature } = checkpoint;
  if (signature === undefined) return false;
  const algorithm = publicKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, Buffer.from(statementOf(checkpoint)), publicKey, Buffer.from(signature, 'base64'));
}
