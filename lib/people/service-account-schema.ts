import * as v from 'valibot';
import { id, idText, object, text, textOfLength, timestamp, titleOfLength } from '../values/primitives.ts';
import { pat } from './user-schema.ts';

export const serviceAccountName = titleOfLength(255);
/** Names of existing service accounts may be older than the rule for names. */
export const storedServiceAccountName = textOfLength(1, 255);

/** A service account in replies. */
export const serviceAccount = object({
  id,
  accountType: v.literal('Service Account'),
  username: text,
  name: text,
  rootRole: id,
  seenAt: v.nullable(timestamp),
  createdAt: timestamp,
  tokens: v.array(pat),
});
export type ShownServiceAccount = v.InferOutput<typeof serviceAccount>;

/** The path of a service account, and of one of its tokens. */
export const serviceAccountPath = object({ id: idText });
export const serviceAccountTokenPath = object({ id: idText, tokenId: idText });
