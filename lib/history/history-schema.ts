import * as v from 'valibot';
import { id as eventId, integer, object, positiveIntegerText, text, timestamp } from '../values/primitives.ts';
import { sealHead, signedCheckpoint } from './checkpoint-schema.ts';

export const checkpointsQuery = object({
  limit: v.exactOptional(v.pipe(positiveIntegerText, v.maxValue(100))),
  before: v.exactOptional(positiveIntegerText),
});

export const checkpointPage = object({
  checkpoints: v.array(signedCheckpoint),
  keys: v.array(object({ keyId: text, publicKey: text })),
});

export const proofQuery = object({
  id: positiveIntegerText,
  createdAt: v.exactOptional(timestamp),
  from: v.exactOptional(positiveIntegerText),
  to: v.exactOptional(positiveIntegerText),
});
export type ProofQuery = v.InferOutput<typeof proofQuery>;

const attribute = v.union([text, integer, v.boolean(), v.null()]);

/** The proof of an event. Verifiers outside read it, so it must not change. */
export const eventProof = object({
  flagstaff: v.literal('proof'),
  /** The id of the event. */
  event: eventId,
  /** The item of the event as it is stored, with all events of its change. */
  item: v.record(v.string(), attribute),
  /** The link before that of the item; empty for the first of a chain, null for an item without a link. */
  before: v.nullable(text),
  /** The index of the item in its seal; null while no seal lists it. */
  sealed: v.nullable(
    object({
      leaf: text,
      path: v.array(object({ side: v.picklist(['left', 'right']), hash: text })),
      /** The heads of seals, by default from that of the event on. */
      seals: v.array(sealHead),
      checkpoint: v.nullable(signedCheckpoint),
    }),
  ),
  /** The later changes of the feature, up to the link that the feature itself has; null for an item that is sealed, or without a link. */
  chain: v.nullable(
    object({
      later: v.array(object({ firstId: eventId, content: text, link: text })),
      link: text,
    }),
  ),
});
export type EventProof = v.InferOutput<typeof eventProof>;
