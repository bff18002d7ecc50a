import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { updateChangeRequestState } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { countChanges, type PartProps, reloadOnFailure } from './request-parts.ts';

/** The next state of a request, if the reader confirms it. */
export type Step = 'Approved' | 'Rejected' | 'Applied' | 'Cancelled';

interface StepWords {
  readonly title: string;
  readonly button: string;
  readonly done: string;
  readonly text: string;
  readonly kind: 'solid' | 'danger';
}

function wordsOf(step: Step, page: ConsoleRequestPage): StepWords {
  const { environment, state } = page.request;
  const count = countChanges(page);
  const these = countOf(count, 'change');
  switch (step) {
    case 'Approved':
      return {
        ...{ title: 'Approve?', button: 'Approve', done: 'You approved it', kind: 'solid' },
        text: `You approve the ${these} that you see here, and nothing else.`,
      };
    case 'Applied':
      return {
        ...{ title: `Apply in ${environment}?`, button: 'Apply now', done: 'It is applied', kind: 'solid' },
        text:
          count === 1
            ? 'SDKs get the change within seconds.'
            : `The ${these} are made together or not at all. SDKs get them within seconds.`,
      };
    case 'Rejected':
      return state === 'Scheduled'
        ? {
            ...{ title: 'End the schedule?', button: 'End the schedule', done: 'Its schedule has ended' },
            ...{ kind: 'danger', text: 'The request is closed. The changes can be asked for again.' },
          }
        : {
            ...{ title: 'Turn it down?', button: 'Turn down', done: 'You turned it down', kind: 'danger' },
            text: 'The request is closed. The changes can be asked for again.',
          };
    case 'Cancelled':
      return state === 'Draft'
        ? {
            ...{ title: 'Discard the draft?', button: 'Discard the draft', done: 'It is discarded', kind: 'danger' },
            text: `Its ${these} ${count === 1 ? 'is' : 'are'} lost. Nothing changes in ${environment}.`,
          }
        : {
            ...{ title: 'Cancel it?', button: 'Cancel the request', done: 'It is cancelled', kind: 'danger' },
            text: `Nothing changes in ${environment}. Its approvals are lost.`,
          };
  }
}

/** Asks before a step of a change request, with a field for a comment. The step applies to the version that the page shows. */
export function StepDialog({
  page,
  path,
  step,
  onClose,
}: PartProps & { readonly step: Step; readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [seenVersion] = useState(version);
  const [comment, setComment] = useState('');
  const isOutdated = version !== seenVersion;
  const words = wordsOf(step, page);

  async function carryOut(): Promise<void> {
    await reloadOnFailure(
      path,
      updateChangeRequestState(
        { projectId: request.project, id: request.id },
        { body: { state: step, ...(comment.trim() !== '' && { comment: comment.trim() }) }, ifMatch: seenVersion },
      ),
    );
    showMessage(words.done);
    await Promise.all([reload(path), reload(startPath)]);
  }

  return (
    <Confirm
      title={words.title}
      verb={isOutdated ? undefined : words.button}
      cancel={isOutdated ? 'Look again' : 'Not now'}
      isDanger={words.kind === 'danger'}
      act={carryOut}
      onClose={onClose}
    >
      <p>{words.text}</p>
      <TextArea label="Comment (optional)" rows={2} maxLength={1_000} value={comment} onInput={setComment} />
      {isOutdated && <FieldProblem text="Somebody changed the request while you looked. Read it again, then decide." />}
    </Confirm>
  );
}
