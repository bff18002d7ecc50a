import * as v from 'valibot';
import { count, id, object, text, timestamp } from '../values/primitives.ts';

/* Verifiers outside read these formats, so they must not change. */

/** The head of a seal with its hash. */
export const sealHead = object({
  number: id,
  at: timestamp,
  /** The time up to which everything is sealed with it. */
  upTo: timestamp,
  /** The hash of the seal before; empty for the first. */
  previous: text,
  /** The number of leaves. */
  count,
  /** The root of the Merkle tree of the leaves. */
  root: text,
  hash: text,
});

/** A seal in a checkpoint that keeps all seals, so that a verification names what was altered. */
const keptSeal = object({
  ...{ number: id, at: timestamp, upTo: timestamp, previous: text, count, root: text },
  /** The leaves, one per line. */
  leaves: text,
});
export type KeptSeal = v.InferOutput<typeof keptSeal>;

const statement = { flagstaff: v.literal('checkpoint'), number: id, at: timestamp, hash: text };

/** A checkpoint with a signature, as the clock makes it. */
export const signedCheckpoint = object({
  ...statement,
  /** The signature of the statement in base64, and the id of its key. */
  signature: text,
  keyId: text,
});
export type SignedCheckpoint = v.InferOutput<typeof signedCheckpoint>;

/** A checkpoint in a file. Events and replies have further members, which are ignored. */
export const checkpointFile = v.object({
  ...statement,
  signature: v.exactOptional(text),
  keyId: v.exactOptional(text),
  seals: v.exactOptional(v.array(keptSeal)),
});
export type Checkpoint = v.InferOutput<typeof checkpointFile>;
