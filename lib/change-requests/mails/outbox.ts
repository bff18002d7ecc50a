import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { computeExpiry } from '../../values/time.ts';
import { type ChangeRequest, isPending } from '../change-request.ts';
import * as changeRequestKeys from '../keys.ts';

/** The occasions of mails about a request. */
export type Occasion = 'review' | 'suspended' | 'failed' | 'applied' | 'override';

/** A mail about a request, which is stored in the transaction of its occasion and sent afterwards. */
export interface WaitingMail {
  /** The id of the request. */
  readonly id: number;
  readonly occasion: Occasion;
  /** The ids of the recipients; empty for an override, whose mail goes to all others who may approve. */
  readonly to: readonly number[];
}

const occasions: Partial<Record<EventType, Occasion>> = {
  'change-request-schedule-suspended': 'suspended',
  'change-request-scheduled-application-failure': 'failed',
  'change-request-scheduled-application-success': 'applied',
  'change-request-override-started': 'override',
};

/** Adds the present reviewers to those who got a mail, if the request is visible to them. */
export function withReviewRequests(after: ChangeRequest): ChangeRequest {
  const { reviewers, asked = [] } = after;
  const hasNoMail = after.state === 'Draft' || !isPending(after) || reviewers.every((id) => asked.includes(id));
  return hasNoMail ? after : { ...after, asked: [...new Set([...asked, ...reviewers])] };
}

/** A mail that was not sent within this time is dropped. */
const lifetimeSeconds = 24 * 60 * 60;

/** Builds the writes of the mails about a changed request. */
export function buildMailWrites(
  before: Versioned<ChangeRequest> | undefined,
  after: ChangeRequest,
  events: readonly NewEvent[],
): Write[] {
  const { asked = [] } = before?.value ?? {};
  const newlyAsked = (after.asked ?? []).filter((userId) => !asked.includes(userId));
  const { createdBy, id } = after;
  const scheduledBy = before?.value.schedule?.scheduledBy ?? createdBy;
  const people = [...new Set([createdBy.id, scheduledBy.id])].filter((userId) => userId > 0);
  const mails: WaitingMail[] = [
    ...(newlyAsked.length > 0 ? [{ id, occasion: 'review' as const, to: newlyAsked }] : []),
    ...events.flatMap(({ type }) => {
      const occasion = occasions[type];
      return occasion === undefined ? [] : [{ id, occasion, to: people }];
    }),
  ];
  const expiresAtSeconds = computeExpiry(lifetimeSeconds);
  return mails.map((mail) => ({
    put: changeRequestKeys.mail(id, before?.version ?? 0, mail.occasion),
    item: { mail: JSON.stringify(mail), expiresAtSeconds },
  }));
}
