import { openKmsSigner } from './sign-by-kms.ts';

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

let chosen: CheckpointSigner | undefined;

/** Signs the checkpoints of this process with a key; without one, with that of the environment again. */
export function useCheckpointSigner(signer?: CheckpointSigner): void {
  chosen = signer;
}

/** Opened keys of KMS, by their ids. */
const opened = new Map<string, CheckpointSigner>();

/**
 * Returns the key that signs checkpoints; undefined if there is none. In a deployment, `CHECKPOINT_KEY` is the ARN of a key of AWS's KMS.
 * @throws Error if KMS does not answer.
 */
export async function findCheckpointSigner(): Promise<CheckpointSigner | undefined> {
  const { CHECKPOINT_KEY: id } = process.env;
  if (chosen !== undefined || !id) return chosen;
  const signer = opened.get(id) ?? (await openKmsSigner(id));
  opened.set(id, signer);
  return signer;
}
