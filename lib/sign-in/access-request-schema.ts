import * as v from 'valibot';
import { id, idText, object, text, timestamp } from '../values/primitives.ts';

/** Access request in replies: somebody without an account has signed on. */
export const accessRequest = object({ id, email: text, requestedAt: timestamp });

/** Access requests in replies to lists. */
export const accessRequestList = object({ userAccessRequests: v.array(accessRequest) });

/** The path of an access request. */
export const accessRequestPath = object({ id: idText });
