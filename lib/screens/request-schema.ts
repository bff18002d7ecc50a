import * as v from 'valibot';
import { changeRequest, preview } from '../change-requests/change-request-schema.ts';
import { feature } from '../features/feature-schema.ts';
import { constraint } from '../features/strategies/constraint-schema.ts';
import { boolean, count, id, integer, name, object, text, timestamp } from '../values/primitives.ts';

/** True if the reader may do something; else the reason why not. */
const permitted = v.union([v.literal(true), text]);

/** The id and the display name of a person. */
const personName = object({ id: integer, name: text });

/** All that the page of a change request shows. */
export const consoleRequest = object({
  request: changeRequest,
  /** The ETag of the request, for `If-Match` of an approval. */
  version: text,
  /** Approvals that it needs now. */
  required: count,
  /** The effects of applying it now; missing for a closed request. */
  preview: v.exactOptional(preview),
  /** The flags that it changes, as they are now. */
  features: v.array(feature),
  segments: v.array(object({ id, name: text, constraints: v.array(constraint) })),
  /** The context fields that these flags and segments use, or will use, with their legal values. */
  contextFields: v.array(object({ name: text, legalValues: v.array(text) })),
  /** People who may approve; those who are asked come first. */
  reviewers: v.array(object({ ...personName.entries, isAsked: boolean })),
  people: v.array(personName),
  /** The person with whose rights a scheduled request will be applied. */
  scheduledBy: v.exactOptional(personName),
  /** The person who applied the request, or in whose name it was applied on schedule. */
  appliedBy: v.exactOptional(personName),
  may: object({
    approve: permitted,
    reject: permitted,
    /** The right to apply the request now, or to schedule that. */
    apply: permitted,
    cancel: permitted,
    /** The right to change the content. */
    edit: permitted,
    /** The right to change the title and the people who are asked. */
    manage: permitted,
    /** The right to record that one has looked at the changes of an override. */
    review: permitted,
  }),
});
export type ConsoleRequestPage = v.InferOutput<typeof consoleRequest>;

/** A change request in the inbox. */
const listedRequest = object({
  id,
  title: v.exactOptional(text),
  project: name,
  environment: name,
  state: text,
  author: personName,
  createdAt: timestamp,
  features: v.array(name),
  approvals: count,
  required: count,
  /** True if its reader could review or apply it now. */
  isWaiting: boolean,
  /** True if its reader was asked to review it. */
  isAsked: boolean,
  scheduledAt: v.exactOptional(timestamp),
  /** True for a schedule that was suspended or has failed. */
  isScheduleBroken: v.exactOptional(boolean),
  /** The reason of an override that waits for a review. */
  override: v.exactOptional(text),
});
export type ListedRequest = v.InferOutput<typeof listedRequest>;

export const consoleReviews = object({ requests: v.array(listedRequest) });
export type ConsoleReviews = v.InferOutput<typeof consoleReviews>;
