import * as v from 'valibot';
import { agent } from '../events/agent-schema.ts';
import { placedStrategy } from '../features/strategies/strategy-schema.ts';
import { jsonPatch } from '../helpers/json-patch-schema.ts';
import { anyOfOperators, anyText, filter, wholeNumberText } from '../values/filter-schema.ts';
import {
  count,
  id,
  idText,
  moment,
  name,
  object,
  text,
  textOfLength,
  timestamp,
  titleOfLength,
} from '../values/primitives.ts';

/** The most changes of a request; a body or a reply with more would be too large to read. */
export const changesMax = 200;
const reviewersMax = 10;

const states = ['Draft', 'In review', 'Approved', 'Scheduled', 'Applied', 'Rejected', 'Cancelled'] as const;
const state = v.picklist(states);
export type RequestState = v.InferOutput<typeof state>;

export const comment = textOfLength(1, 1_000);

/** The new state of a request, with a comment. */
export const stateInput = v.variant('state', [
  object({
    state: v.picklist(['Draft', 'In review', 'Approved', 'Applied', 'Cancelled', 'Rejected']),
    comment: v.exactOptional(v.nullable(textOfLength(0, 1_000))),
  }),
  object({
    state: v.literal('Scheduled'),
    scheduledAt: moment,
    comment: v.exactOptional(v.nullable(textOfLength(0, 1_000))),
  }),
]);
export type StateInput = v.InferOutput<typeof stateInput>;

export const titleInput = object({ title: titleOfLength(255) });
export const commentInput = object({ text: comment });
export const reviewersInput = object({ reviewers: v.pipe(v.array(id), v.maxLength(reviewersMax)) });

const overrideMinutesMax = 60;

export const overrideInput = object({
  reason: comment,
  minutes: v.pipe(id, v.maxValue(overrideMinutesMax)),
});
export type OverrideInput = v.InferOutput<typeof overrideInput>;

export const overridePath = object({ projectId: text, environment: text, id: idText });
export const reviewInput = object({ comment });

/** The path of a request. */
export const changeRequestPath = object({ projectId: text, id: idText });
export const changeRequestPlaygroundPath = object({ id: idText });
export type RequestPath = v.InferOutput<typeof changeRequestPath>;
export const changePath = object({ projectId: text, id: idText, changeId: idText });
export type ChangePath = v.InferOutput<typeof changePath>;

const person = object({ id: v.number(), username: text, imageUrl: text, agent: v.exactOptional(agent) });
const authorship = { createdBy: person, createdAt: timestamp };

const shownChange = object({
  id,
  action: text,
  payload: v.exactOptional(v.unknown()),
  conflict: v.exactOptional(text),
  scheduleConflicts: v.exactOptional(object({ changeRequests: v.array(object({ id, title: v.exactOptional(text) })) })),
  ...authorship,
});

/** A review of the content that a request had at that time. */
const review = object({ ...authorship, contentHash: v.exactOptional(text) });

const schedule = object({
  status: v.picklist(['pending', 'failed', 'suspended']),
  scheduledAt: timestamp,
  reason: v.exactOptional(text),
  failureReason: v.exactOptional(text),
});

/** An emergency in which the author changes things directly; without `reviewedAt`, nobody has reviewed the changes yet. */
const override = object({
  reason: text,
  from: timestamp,
  until: timestamp,
  endedBy: v.exactOptional(person),
  reviewedBy: v.exactOptional(person),
  reviewedAt: v.exactOptional(timestamp),
});

/** A complete request, in the form that Unleash's admin UI reads. */
export const changeRequest = object({
  id,
  title: v.exactOptional(text),
  /** The reason that an agent gives for its proposal. */
  reason: v.exactOptional(text),
  project: name,
  environment: name,
  createdBy: person,
  createdAt: timestamp,
  minApprovals: count,
  state,
  /** A digest of the changes; an approval or a schedule is valid for one content only. */
  contentHash: text,
  features: v.array(
    object({
      name,
      conflict: v.exactOptional(text),
      changes: v.array(shownChange),
      defaultChange: v.exactOptional(object({ action: text, payload: v.unknown() })),
    }),
  ),
  segments: v.array(object({ ...shownChange.entries, name: text })),
  approvals: v.array(review),
  rejections: v.array(review),
  comments: v.array(object({ id, text, ...authorship })),
  stateTimestamps: v.record(text, timestamp),
  schedule: v.exactOptional(schedule),
  /** The time when the request is cancelled, unless it is applied or scheduled before. */
  expiresAt: v.exactOptional(timestamp),
  override: v.exactOptional(override),
});
export type ShownChangeRequest = v.InferOutput<typeof changeRequest>;

/** An override that is active or will begin; its id is that of its request. */
export const shownOverride = object({ id, reason: text, createdBy: person, from: timestamp, until: timestamp });
export type ShownOverride = v.InferOutput<typeof shownOverride>;

/** A request in the list of its project, without the content of its changes. */
export const listedChangeRequest = object({
  ...changeRequest.entries,
  features: v.array(
    object({ name, changes: v.array(object({ id, action: text, createdBy: person, createdAt: timestamp })) }),
  ),
  segments: v.array(object({ id, action: text, name: text })),
});
export type ListedChangeRequest = v.InferOutput<typeof listedChangeRequest>;

/** A strategy that will use a segment when a request is applied. */
export const requestedStrategy = object({
  ...placedStrategy.entries,
  id: v.exactOptional(text),
  changeRequest: object({ id, title: v.nullable(text) }),
});

/** A query for scheduled requests that conflict with an intended change. */
export const scheduledQuery = object({
  feature: v.exactOptional(v.array(text)),
  strategyId: v.exactOptional(text),
  variantForFlag: v.exactOptional(text),
});
export type ScheduledQuery = v.InferOutput<typeof scheduledQuery>;

export const scheduledChangeRequest = object({ id, environment: name, title: v.exactOptional(text) });

const pageMax = 1_000;

export const changeRequestSearch = object({
  state: v.exactOptional(filter(['IS'], v.picklist(['open', 'closed']), 'IS:open')),
  createdBy: v.exactOptional(filter(anyOfOperators, anyText, 'IS:1')),
  requestedApproverId: v.exactOptional(filter(anyOfOperators, anyText, 'IS:1')),
  offset: v.optional(wholeNumberText, '0'),
  limit: v.optional(v.pipe(wholeNumberText, v.minValue(1), v.maxValue(pageMax)), '50'),
  sortBy: v.exactOptional(text),
  sortOrder: v.exactOptional(text),
});
export type ChangeRequestSearch = v.InferOutput<typeof changeRequestSearch>;

export const foundChangeRequests = object({
  changeRequests: v.array(
    object({
      id,
      title: v.exactOptional(text),
      project: name,
      environment: name,
      createdAt: timestamp,
      createdBy: person,
      features: v.array(name),
      segments: v.array(text),
      state,
      schedule: v.exactOptional(schedule),
      override: v.exactOptional(override),
    }),
  ),
  total: count,
});

export const changeRequestCounts = object({
  total: count,
  applied: count,
  approved: count,
  rejected: count,
  reviewRequired: count,
  scheduled: count,
});

export const reviewers = object({
  reviewers: v.array(
    object({
      id,
      email: text,
      name: v.exactOptional(text),
      username: v.exactOptional(text),
      imageUrl: text,
    }),
  ),
});

/** The effects that applying a request would have now. */
export const preview = object({
  contentHash: text,
  /** The names of the changed features and segments, by transaction. */
  transactions: v.array(v.array(text)),
  features: v.array(object({ name, patch: jsonPatch })),
  segments: v.array(object({ id, patch: jsonPatch })),
  events: v.array(
    object({
      /** The change that makes the event. A change without events would change nothing now. */
      change: id,
      type: text,
      featureName: v.exactOptional(name),
      data: v.nullable(v.looseObject({})),
      preData: v.nullable(v.looseObject({})),
    }),
  ),
  conflicts: v.array(
    object({
      change: id,
      message: text,
      differences: v.array(
        object({
          property: text,
          before: v.exactOptional(v.unknown()),
          now: v.exactOptional(v.unknown()),
          wanted: v.exactOptional(v.unknown()),
        }),
      ),
      /** The segment that somebody else has changed, if the conflict is about one that the change uses. */
      segment: v.exactOptional(object({ id, name: text })),
      /** The last change that caused the conflict, as far as the caller may know it. */
      changedBy: v.exactOptional(person),
      changedAt: v.exactOptional(timestamp),
    }),
  ),
});

export const stateReply = object({
  state,
  comment: v.exactOptional(text),
  scheduledAt: v.exactOptional(timestamp),
});
