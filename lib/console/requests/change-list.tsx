import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { deleteChangeRequestChange } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import { tellRequestedEffect, toEffect } from '../words/requested-changes.ts';
import { EditChange } from './edit-change.tsx';
import {
  approvalsEnd,
  countChanges,
  listValidApprovals,
  type PartProps,
  type RequestedChange,
  reloadOnFailure,
} from './request-parts.ts';

interface ListProps extends PartProps {
  /** The flag whose changes are listed; undefined for the changes of segments. */
  readonly flag: string | undefined;
}

/** The changes of a request to a flag or to segments, with buttons to edit and remove them. Only readers who may edit them see it. */
export function ChangeList({ page, path, flag }: ListProps): JSX.Element | null {
  const { request, may } = page;
  const [edited, setEdited] = useState<RequestedChange>();
  const [removed, setRemoved] = useState<RequestedChange>();
  if (may.edit !== true || request.override !== undefined) return null;
  const changes: readonly RequestedChange[] =
    flag === undefined ? request.segments : (request.features.find(({ name }) => name === flag)?.changes ?? []);
  const mustStay = countChanges(page) === 1 && request.state !== 'Draft';
  return (
    <ul class="change-list" aria-label={`Changes of ${flag ?? 'segments'}`}>
      {changes.map((change) => {
        const sentence = tellRequestedEffect(toEffect(change, flag));
        return (
          <li key={change.id}>
            <span class="grow">{sentence}</span>
            {isEditable(change) && (
              <Button kind="quiet" aria-label={`Edit: ${sentence}`} onClick={() => setEdited(change)}>
                Edit
              </Button>
            )}
            <Button
              kind="quiet"
              aria-label={`Remove: ${sentence}`}
              reason={mustStay ? 'This is the only change. Cancel the request instead.' : undefined}
              onClick={() => setRemoved(change)}
            >
              Remove
            </Button>
          </li>
        );
      })}
      {edited !== undefined && (
        <EditChange page={page} path={path} flag={flag} change={edited} onClose={() => setEdited(undefined)} />
      )}
      {removed !== undefined && (
        <RemoveDialog page={page} path={path} change={removed} onClose={() => setRemoved(undefined)} />
      )}
    </ul>
  );
}

function isEditable({ action }: RequestedChange): boolean {
  return [
    ...['addStrategy', 'updateStrategy', 'updateSegment', 'patchVariant', 'updateEnabled'],
    ...['updateMilestoneStrategy', 'changeMilestoneProgression'],
  ].includes(action);
}

interface RemoveProps extends PartProps {
  readonly change: RequestedChange;
  readonly onClose: () => void;
}

/** Asks before a change is removed. The draft is discarded with its only change. */
function RemoveDialog({ page, path, change, onClose }: RemoveProps): JSX.Element {
  const { request, version } = page;
  const isOnly = countChanges(page) === 1;

  async function remove(): Promise<void> {
    await reloadOnFailure(
      path,
      deleteChangeRequestChange(
        { projectId: request.project, id: request.id, changeId: change.id },
        { ifMatch: version },
      ),
    );
    showMessage(isOnly ? 'The draft is discarded' : 'The change is removed');
    await reload(startPath);
    if (isOnly) go('/reviews');
    else await reload(path);
  }

  return (
    <Confirm title="Remove this change?" verb="Remove" cancel="Keep it" isDanger act={remove} onClose={onClose}>
      <p>
        {isOnly
          ? 'This is the only change, so the draft is discarded.'
          : 'The other changes of the request stay as they are.'}
        {listValidApprovals(request).length > 0 && ` ${approvalsEnd}`}
      </p>
    </Confirm>
  );
}
