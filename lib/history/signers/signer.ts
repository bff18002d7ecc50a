import type { CheckpointSigner } from '../checkpoint.ts';
import { openKmsSigner } from './sign-by-kms.ts';

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
