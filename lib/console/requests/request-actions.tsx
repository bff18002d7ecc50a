import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useShortcut } from '../browser/shortcuts.ts';
import { updateChangeRequestState } from '../calls/one-request.ts';
import { endChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, startPath, useStart } from '../reader/start.ts';
import { describeRefusal, type PartProps } from './request-parts.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { type Step, StepDialog } from './step-dialog.tsx';
import { TryDialog } from './try-dialog.tsx';

type Asked = Step | 'Scheduled' | 'Reviewed' | 'Tried';

/** The buttons for the next steps of a change request. At most one of them is solid. */
export function RequestActions({ page, path }: PartProps): JSX.Element | null {
  const { request, may } = page;
  const { state, override } = request;
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const ask = (next: Asked) => () => setAsked(next);
  const [isSending, setSending] = useState(false);
  async function sendForReview(): Promise<void> {
    const { project, id } = request;
    setSending(true);
    await attempt(async () => {
      await updateChangeRequestState(
        { projectId: project, id },
        { body: { state: 'In review' }, ifMatch: page.version },
      );
      showMessage('Sent for review. Those who may approve find it in Reviews.');
    });
    await Promise.all([reload(path), reload(startPath)]);
    setSending(false);
  }
  const isReviewed = ['Approved', 'Scheduled'].includes(state);
  useShortcut('a', () => {
    if (override === undefined && may.approve === true) setAsked('Approved');
  });
  if (override !== undefined) return <OverrideActions page={page} path={path} />;
  if (!['Draft', 'In review', 'Approved', 'Scheduled'].includes(state)) return null;
  return (
    <div class="page-actions">
      {may.cancel === true && (
        <Button kind="quiet" onClick={ask('Cancelled')}>
          {state === 'Draft' ? 'Discard' : 'Cancel it'}
        </Button>
      )}
      {request.features.length > 0 && <Button onClick={ask('Tried')}>Try it as a user</Button>}
      {state !== 'Draft' && (
        <Button onClick={ask('Rejected')} reason={describeRefusal(may.reject)}>
          {state === 'Scheduled' ? 'End the schedule' : 'Turn down'}
        </Button>
      )}
      {isReviewed && (
        <Button icon="calendar-clock" onClick={ask('Scheduled')} reason={describeRefusal(may.apply)}>
          {state === 'Scheduled' ? 'Another time' : 'Schedule'}
        </Button>
      )}
      {state === 'Draft' && (
        // With a key, the element does not become that of the next button, which would get its focus.
        <Button key="send" kind="solid" isBusy={isSending} onClick={sendForReview} reason={describeRefusal(may.edit)}>
          Send for review
        </Button>
      )}
      {(state === 'In review' || (isReviewed && may.approve === true)) && (
        <Button kind={isReviewed ? 'plain' : 'solid'} onClick={ask('Approved')} reason={describeRefusal(may.approve)}>
          Approve
        </Button>
      )}
      {isReviewed && (
        <Button kind="solid" onClick={ask('Applied')} reason={describeRefusal(may.apply)}>
          Apply now
        </Button>
      )}
      {asked === 'Scheduled' && <ScheduleDialog page={page} path={path} onClose={close} />}
      {asked === 'Tried' && <TryDialog page={page} onClose={close} />}
      {asked !== undefined && asked !== 'Scheduled' && asked !== 'Reviewed' && asked !== 'Tried' && (
        <StepDialog page={page} path={path} step={asked} onClose={close} />
      )}
    </div>
  );
}

/** The buttons for an override: to end it early, and to record that somebody else has looked at its changes. */
function OverrideActions({ page, path }: PartProps): JSX.Element | null {
  const { request, may } = page;
  const { value: start } = useStart();
  const [isReviewing, setReviewing] = useState(false);
  const { project, environment, override } = request;
  if (override === undefined || override.reviewedAt !== undefined) return null;
  const isRunning = override.until > new Date().toISOString();
  const mayEnd = mayIn(start, 'APPROVE_CHANGE_REQUEST', project, environment);
  async function end(): Promise<void> {
    await attempt(async () => {
      await endChangeRequestOverride({ projectId: project, environment, id: request.id });
      showMessage('The override has ended. Changes need approval again.');
    });
    await Promise.all([reload(path), reload(startPath)]);
  }
  return (
    <div class="page-actions">
      {isRunning && (
        <Button
          onClick={end}
          reason={mayEnd ? undefined : 'Needs the permission to approve change requests in this environment.'}
        >
          End it
        </Button>
      )}
      <Button
        kind="solid"
        onClick={() => setReviewing(true)}
        reason={isRunning ? 'It still runs. End it, or wait until it is over.' : describeRefusal(may.review)}
      >
        Mark as seen
      </Button>
      {isReviewing && <ReviewDialog page={page} path={path} onClose={() => setReviewing(false)} />}
    </div>
  );
}
