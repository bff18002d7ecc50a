import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { computeExpiry } from '../../values/time.ts';
import { type ChangeRequest, isPending } from '../change-request.ts';
import * as changeRequestKeys from '../keys.ts';

/** Occasions on which people are mailed about a request. */
export type Occasion = 'review' | 'suspended' | 'failed' | 'applied' | 'override';

/** A mail about a request that waits until its transaction has been carried out. */
export interface WaitingMail {
  /** The id of the request. */
  readonly id: number;
  readonly occasion: Occasion;
  /** The ids of users; of an override, all others who may approve. */
  readonly to: readonly number[];
}

const occasions: Partial<Record<EventType, Occasion>> = {
  'change-request-schedule-suspended': 'suspended',
  'change-request-scheduled-application-failure': 'failed',
  'change-request-scheduled-application-success': 'applied',
  'change-request-override-started': 'override',
};

/** Returns a request of which all who are asked for a review will have got a mail, once they may know of it. */
export function withAsked(after: ChangeRequest): ChangeRequest {
  const { reviewers, asked = [] } = after;
  const isHeldBack = after.state === 'Draft' || !isPending(after) || reviewers.every((id) => asked.includes(id));
  return isHeldBack ? after : { ...after, asked: [...new Set([...asked, ...reviewers])] };
}

/** Time after which a mail that was not sent is of no use any more. */
const keptSeconds = 24 * 60 * 60;

/** Returns the writes by which people are mailed about what happens to a request. */
export function mailWrites(
  before: Versioned<ChangeRequest> | undefined,
  after: ChangeRequest,
  events: readonly NewEvent[],
): Write[] {
  const { asked = [] } = before?.value ?? {};
  const newlyAsked = (after.asked ?? []).filter((each) => !asked.includes(each));
  const { createdBy, id } = after;
  const scheduledBy = before?.value.schedule?.scheduledBy ?? createdBy;
  const people = [...new Set([createdBy.id, scheduledBy.id])].filter((each) => each > 0);
  const mails: WaitingMail[] = [
    ...(newlyAsked.length > 0 ? [{ id, occasion: 'review' as const, to: newlyAsked }] : []),
    ...events.flatMap(({ type }) => {
      const occasion = occasions[type];
      return occasion === undefined ? [] : [{ id, occasion, to: people }];
    }),
  ];
  const expiresAtSeconds = computeExpiry(keptSeconds);
  return mails.map((mail) => ({
    put: changeRequestKeys.mail(id, before?.version ?? 0, mail.occasion),
    item: { mail: JSON.stringify(mail), expiresAtSeconds },
  }));
}
