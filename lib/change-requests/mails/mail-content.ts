import { singleLine } from '../../sign-in/send-mail.ts';
import { statedUrl } from '../../values/web-address.ts';
import type { ChangeRequest } from '../change-request.ts';
import type { Occasion } from './outbox.ts';

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
export function mailContent(one: ChangeRequest, occasion: Occasion) {
  const { id, title, project, environment } = one;
  const url = statedUrl();
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
