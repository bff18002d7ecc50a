import { runEach } from '../../helpers/run-all.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import { loadCaller } from '../../identity/caller.ts';
import { type User, users } from '../../identity/users.ts';
import { listUsersWithPermission } from '../../identity/users-with-permission.ts';
import type { Request } from '../../request.ts';
import * as signInKeys from '../../sign-in/keys.ts';
import { formatGreeting, mailSender, sendMail, singleLine } from '../../sign-in/send-mail.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import { countInWindow } from '../../store/window.ts';
import { sha256 } from '../../values/sha256.ts';
import { isUnexpired } from '../../values/time.ts';
import { readPublicUrl } from '../../values/web-address.ts';
import type { ChangeRequest } from '../change-request.ts';
import { changeRequests } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import type { Occasion, WaitingMail } from './outbox.ts';

/** Limit of people who get one mail. */
const peopleMax = 50;
/** The most mails that a person gets within a day: no loop of requests fills their box. */
const mailsOfDayMax = 100;
const daySeconds = 86_400;
const lastOfDay = `This is the last of the ${mailsOfDayMax} mails about change requests that you get within a day.\n`;

interface WaitingItem {
  /** JSON. */
  readonly mail: string;
  readonly expiresAtSeconds: number;
}

/**
 * Sends the mails that wait, each once and by one process. A mail that is cut off, or that the sender fails with, is not
 * sent again. Where mails have no sender, they wait for a process that has one, at most for a day.
 */
export async function sendWaitingMails(request: Request): Promise<void> {
  if (mailSender() === undefined) return;
  const mails = await queryAll<Key & WaitingItem>(request, changeRequestKeys.mails());
  await runEach(mails, async ({ pk, sk, ...item }) => {
    const isOurs = await tryTransact(request, { remove: { pk, sk }, when: 'present' });
    if (isOurs && isUnexpired(item)) await send(request, JSON.parse(item.mail));
  });
}

async function send(request: Request, { id, occasion, to }: WaitingMail): Promise<void> {
  const one = (await changeRequests.find(request, id))?.value;
  if (one === undefined) return;
  const people = await recipients(request, one, occasion, to);
  const { subject, text } = mailContent(one, occasion);
  await Promise.all(
    people.slice(0, peopleMax).map(async ({ id: person, email, name }) => {
      if (email === undefined) return;
      const counted = signInKeys.attempts(sha256(`mail about change requests to ${person}`));
      const { count } = await countInWindow(request, counted, 1, daySeconds);
      const parts = [formatGreeting(name), text, ...(count === mailsOfDayMax ? [lastOfDay] : [])];
      if (count <= mailsOfDayMax) await sendMail(request, { to: email, subject, text: parts.join('\n\n') });
    }),
  );
}

/** Finds those who are to get a mail and may know of the request; who is asked for a review may give one, too. */
async function recipients(
  request: Request,
  { project, environment, createdBy }: ChangeRequest,
  occasion: Occasion,
  to: readonly number[],
): Promise<User[]> {
  const found =
    occasion === 'override'
      ? (await listUsersWithPermission(request, 'APPROVE_CHANGE_REQUEST', project, environment)).filter(
          ({ id }) => id !== createdBy.id,
        )
      : [...(await users.some(request, to)).values()];
  const are = await Promise.all(
    found.map(async ({ id }) => {
      const person = { kind: 'user', name: '', userId: id } as const;
      if ((await loadHiddenProjects(request, person, project)).has(project)) return false;
      const caller = await loadCaller(request, person);
      return occasion !== 'review' || caller?.may('APPROVE_CHANGE_REQUEST', project, environment) === true;
    }),
  );
  return found.filter((_, index) => are[index]);
}

const subjects: Readonly<Record<Occasion, (id: number) => string>> = {
  review: (id) => `Please review change request ${id}`,
  suspended: (id) => `The schedule of change request ${id} is suspended`,
  failed: (id) => `Change request ${id} was not applied at its time`,
  applied: (id) => `Change request ${id} was applied at its time`,
  override: (id) => `Override ${id} of the approval of changes`,
};

const happened: Readonly<Record<Occasion, (one: ChangeRequest) => string>> = {
  review: ({ createdBy }) => `${singleLine(createdBy.name)} asks you to review a change request.`,
  suspended: ({ schedule }) => `What a change request changes was changed meanwhile: ${singleLine(schedule?.reason)}`,
  failed: ({ schedule }) => `A change request was not applied at its time: ${singleLine(schedule?.reason)}`,
  applied: () => 'A change request was applied at its time.',
  override: ({ createdBy, override }) =>
    `${singleLine(createdBy.name)} overrides the approval of changes from ${override?.from} until ${override?.until}: ` +
    `${singleLine(override?.reason)}. You can end it, and somebody else has to review it afterwards.`,
};

/** Returns the subject and the text of a mail about a request, with a link to it. */
function mailContent(one: ChangeRequest, occasion: Occasion) {
  const { id, title, project, environment } = one;
  const url = readPublicUrl();
  const lines = [
    happened[occasion](one),
    '',
    `Request: ${id}${title === undefined ? '' : ` (${singleLine(title)})`}`,
    `Project: ${project}`,
    `Environment: ${environment}`,
    ...(url === undefined ? [] : ['', `${url}/projects/${project}/change-requests/${id}`]),
    '',
  ];
  return { subject: subjects[occasion](id), text: lines.join('\n') };
}
