import { change } from '../entity/change.ts';
import { systemUser } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryPages, readItem } from '../store/read.ts';
import { signCheckpoint } from './checkpoint.ts';
import { readCheckpointBucket } from './checkpoint-bucket.ts';
import type { SignedCheckpoint } from './checkpoint-schema.ts';
import * as historyKeys from './keys.ts';
import { loadLastSeal } from './seal-events.ts';
import { findCheckpointSigner } from './signers/signer.ts';

/** A checkpoint in the store, whose key has its number. */
interface CheckpointItem extends Key, Omit<SignedCheckpoint, 'number' | 'flagstaff'> {
  /** The public part of the key that has signed it, in PEM format. */
  readonly publicKey: string;
}

/**
 * Signs a checkpoint of the last seal, unless there is no key or already a checkpoint of it. Its event lets integrations keep it elsewhere,
 * and `keepCheckpoints` puts it into the bucket.
 * @throws Error if the store or the key fails.
 */
export async function addCheckpoint(request: Request): Promise<void> {
  const signer = await findCheckpointSigner();
  if (signer === undefined) return;
  const seal = await loadLastSeal(request);
  if (seal === undefined) return;
  const key = historyKeys.checkpoint(seal.number);
  if ((await readItem(request, key)) !== undefined) return;
  const checkpoint = await signCheckpoint(seal, signer);
  const { flagstaff: _flagstaff, number: _number, ...item } = checkpoint;
  const put = { put: key, item: { ...item, publicKey: signer.publicKey }, when: 'absent' } as const;
  const isForBucket = readCheckpointBucket() !== undefined;
  const writes = [put, ...(isForBucket ? [{ put: historyKeys.unkeptCheckpoint(seal.number), item: {} }] : [])];
  await change(request, systemUser, {
    items: [key],
    subject: `checkpoint ${seal.number}`,
    read: () => readItem(request, key),
    revisionOf: () => undefined,
    decide: (existing) => {
      if (existing !== undefined) return { writes: [], events: [], result: undefined };
      const created = { type: 'history-checkpoint-created', data: { ...checkpoint } } as const;
      return { writes, events: [created], result: undefined };
    },
  });
}

/** A page of checkpoints, newest first. */
interface CheckpointPage {
  readonly checkpoints: readonly SignedCheckpoint[];
  /** The public keys of these checkpoints, in PEM format. */
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[];
}

/**
 * Lists checkpoints, newest first.
 * @param before lists only those with lower numbers.
 */
export async function listCheckpoints(
  request: Request,
  { limit = 100, before }: { readonly limit?: number; readonly before?: number },
): Promise<CheckpointPage> {
  const options = {
    ...{ descending: true, pageSize: limit },
    ...(before !== undefined && { before: historyKeys.checkpoint(before).sk }),
  };
  for await (const page of queryPages<CheckpointItem>(request, historyKeys.checkpoints(), options)) {
    const keys = new Map(page.map(({ keyId, publicKey }) => [keyId, { keyId, publicKey }]));
    return { checkpoints: page.map(toCheckpoint), keys: [...keys.values()] };
  }
  return { checkpoints: [], keys: [] };
}

/** Reads the first checkpoint of a seal, or of one after it; undefined if there is none. */
export async function findCheckpointFrom(request: Request, seal: number): Promise<SignedCheckpoint | undefined> {
  for await (const [item] of queryPages<CheckpointItem>(request, historyKeys.checkpointsFrom(seal), { pageSize: 1 })) {
    return item && toCheckpoint(item);
  }
  return undefined;
}

/** Reads the checkpoint of a seal; undefined if there is none. */
export async function findCheckpoint(request: Request, seal: number): Promise<SignedCheckpoint | undefined> {
  const key = historyKeys.checkpoint(seal);
  const item = await readItem<Omit<CheckpointItem, keyof Key>>(request, key);
  return item && toCheckpoint({ ...key, ...item });
}

function toCheckpoint({ sk, at, hash, signature, keyId }: CheckpointItem): SignedCheckpoint {
  return { flagstaff: 'checkpoint', number: Number(sk), at, hash, signature, keyId };
}
