import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import { loadCaller } from '../../identity/caller.ts';
import { type User, users } from '../../identity/users.ts';
import { listUsersWithPermission } from '../../identity/users-with-permission.ts';
import { projects } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { attemptsKey } from '../../sign-in/attempts.ts';
import { formatGreeting } from '../../sign-in/mail.ts';
import { mailSender, sendMail } from '../../sign-in/send-mail.ts';
import type { Key } from '../../store/client/definition.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import { countInWindow } from '../../store/window.ts';
import { workThrough } from '../../store/work-through.ts';
import { shortenToLine } from '../../values/shorten-to-line.ts';
import { isUnexpired } from '../../values/time.ts';
import type { TimeBudget } from '../../values/time-budget.ts';
import { readPublicUrl } from '../../values/web-address.ts';
import type { ChangeRequest } from '../change-request.ts';
import { changeRequests } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { mayDecide } from '../rules.ts';
import type { Occasion, WaitingMail } from './outbox.ts';

/** The most people who get the same mail. */
const peopleMax = 50;
/** The most mails per person and day, so that a loop of requests cannot flood a mailbox. */
const mailsOfDayMax = 100;
const daySeconds = 86_400;
const lastMailNotice = `This is the last of the ${mailsOfDayMax} mails about change requests that you get within a day.\n`;

interface WaitingItem {
  /** JSON: WaitingMail. */
  readonly mail: string;
  readonly expiresAtSeconds: number;
}

/**
 * Sends the waiting mails, each once and by one process. A mail that is interrupted or fails is not sent again. Without a
 * configured sender, mails wait for a process with one, at most for a day.
 * @returns false if some are left for the next call.
 * @throws Error the first failure, after all others.
 */
export async function sendWaitingMails(request: Request, budget?: TimeBudget): Promise<boolean> {
  if (mailSender() === undefined) return true;
  return workThrough<Key & WaitingItem>(request, changeRequestKeys.mails(), { budget }, async ({ pk, sk, ...item }) => {
    const isFirst = await tryTransact(request, { remove: { pk, sk }, when: 'present' });
    if (isFirst && isUnexpired(item)) await send(request, JSON.parse(item.mail));
  });
}

async function send(request: Request, { id, occasion, to }: WaitingMail): Promise<void> {
  const changeRequest = (await changeRequests.find(request, id))?.value;
  if (changeRequest === undefined) return;
  const people = await findRecipients(request, changeRequest, occasion, to);
  const { subject, text } = buildMail(changeRequest, occasion);
  await Promise.all(
    people.slice(0, peopleMax).map(async ({ id: person, email, name }) => {
      if (email === undefined) return;
      const counterKey = attemptsKey('mail about change requests to', String(person));
      const { count } = await countInWindow(request, counterKey, 1, daySeconds);
      const parts = [formatGreeting(name), text, ...(count === mailsOfDayMax ? [lastMailNotice] : [])];
      if (count <= mailsOfDayMax) await sendMail(request, { to: email, subject, text: parts.join('\n\n') });
    }),
  );
}

/** Finds the recipients of a mail who see the request; for a request for review, only those who may approve it. */
async function findRecipients(
  request: Request,
  changeRequest: ChangeRequest,
  occasion: Occasion,
  to: readonly number[],
): Promise<User[]> {
  const { project, environment, createdBy } = changeRequest;
  const stored = occasion === 'review' ? await projects.find(request, project) : undefined;
  const candidates =
    occasion === 'override'
      ? (await listUsersWithPermission(request, 'APPROVE_CHANGE_REQUEST', project, environment)).filter(
          ({ id }) => id !== createdBy.id,
        )
      : [...(await users.findSome(request, to)).values()];
  const isRecipient = await Promise.all(
    candidates.map(async ({ id }) => {
      const person = { kind: 'user', name: '', userId: id } as const;
      if ((await loadHiddenProjects(request, person, project)).has(project)) return false;
      const caller = await loadCaller(request, person);
      if (occasion !== 'review') return true;
      if (caller === undefined || stored === undefined) return false;
      return mayDecide(caller, 'APPROVE_CHANGE_REQUEST', changeRequest, { project: stored.value });
    }),
  );
  return candidates.filter((_, index) => isRecipient[index]);
}

const subjects: Readonly<Record<Occasion, (id: number) => string>> = {
  review: (id) => `Please review change request ${id}`,
  suspended: (id) => `The schedule of change request ${id} is suspended`,
  failed: (id) => `Change request ${id} was not applied at its scheduled time`,
  applied: (id) => `Change request ${id} was applied at its scheduled time`,
  override: (id) => `Override ${id} of the approval of changes`,
};

const firstLines: Readonly<Record<Occasion, (changeRequest: ChangeRequest) => string>> = {
  review: ({ createdBy }) => `${shortenToLine(createdBy.name)} asks you to review a change request.`,
  suspended: ({ schedule }) =>
    `A scheduled change request is no longer valid as approved: ${shortenToLine(schedule?.reason)}`,
  failed: ({ schedule }) =>
    `A change request was not applied at its scheduled time: ${shortenToLine(schedule?.reason)}`,
  applied: () => 'A change request was applied at its scheduled time.',
  override: ({ createdBy, override }) =>
    `${shortenToLine(createdBy.name)} overrides the approval of changes from ${override?.from} until ${override?.until}: ` +
    `${shortenToLine(override?.reason)}. You can end the override, and another person has to review it afterwards.`,
};

/** Builds the subject and the text of a mail about a request, with a link to it. */
function buildMail(changeRequest: ChangeRequest, occasion: Occasion) {
  const { id, title, project, environment } = changeRequest;
  const url = readPublicUrl();
  const lines = [
    firstLines[occasion](changeRequest),
    '',
    `Request: ${id}${title === undefined ? '' : ` (${shortenToLine(title)})`}`,
    `Project: ${project}`,
    `Environment: ${environment}`,
    ...(url === undefined ? [] : ['', `${url}/projects/${project}/change-requests/${id}`]),
    '',
  ];
  return { subject: subjects[occasion](id), text: lines.join('\n') };
}
