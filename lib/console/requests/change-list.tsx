import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownChangeRequest } from '../../change-requests/change-request-schema.ts';
import { deleteChangeRequestChange } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import { startPath } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { tellProposal, toEffect } from '../words/requested-changes.ts';
import { EditChange } from './edit-change.tsx';
import { countChanges, type PartProps, reloadOnFailure } from './request-parts.ts';

export type RequestedChange = ShownChangeRequest['features'][number]['changes'][number];

interface ListProps extends PartProps {
  /** The flag whose changes are listed; undefined for those of segments. */
  readonly flag: string | undefined;
}

/** The changes of a request as their author can edit or remove them; nothing for other readers. */
export function ChangeList({ page, path, flag }: ListProps): JSX.Element | null {
  const { request, may } = page;
  const [edited, setEdited] = useState<RequestedChange>();
  const [discarded, setDiscarded] = useState<RequestedChange>();
  if (may.edit !== true || request.override !== undefined) return null;
  const changes: readonly RequestedChange[] =
    flag === undefined ? request.segments : (request.features.find(({ name }) => name === flag)?.changes ?? []);
  const isLast = countChanges(page) === 1 && request.state !== 'Draft';
  return (
    <ul class="change-list" aria-label={`Changes of ${flag ?? 'segments'}`}>
      {changes.map((change) => {
        const words = tellProposal(toEffect(change, flag));
        return (
          <li key={change.id}>
            <span class="grow">{words}</span>
            {isEditable(change) && (
              <Button kind="quiet" aria-label={`Edit: ${words}`} onClick={() => setEdited(change)}>
                Edit
              </Button>
            )}
            <Button
              kind="quiet"
              aria-label={`Remove: ${words}`}
              reason={isLast ? 'It is the last change. Cancel the request instead.' : undefined}
              onClick={() => setDiscarded(change)}
            >
              Remove
            </Button>
          </li>
        );
      })}
      {edited !== undefined && (
        <EditChange page={page} path={path} flag={flag} change={edited} onClose={() => setEdited(undefined)} />
      )}
      {discarded !== undefined && (
        <DiscardDialog page={page} path={path} change={discarded} onClose={() => setDiscarded(undefined)} />
      )}
    </ul>
  );
}

function isEditable({ action }: RequestedChange): boolean {
  return ['addStrategy', 'updateStrategy', 'updateSegment', 'patchVariant', 'updateEnabled'].includes(action);
}

interface DiscardProps extends PartProps {
  readonly change: RequestedChange;
  readonly onClose: () => void;
}

function DiscardDialog({ page, path, change, onClose }: DiscardProps): JSX.Element {
  const { request, version } = page;
  const isOnly = countChanges(page) === 1;
  const hasApprovals = request.approvals.some(({ contentHash }) => contentHash === request.contentHash);

  async function discard(): Promise<void> {
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
    <Confirm title="Remove this change?" verb="Remove" cancel="Keep it" isDanger act={discard} onClose={onClose}>
      <p>
        {isOnly
          ? 'It is the only change, so the draft is discarded.'
          : 'The other changes of the request stay as they are.'}
        {hasApprovals && ' The approvals no longer hold: people have to approve again.'}
      </p>
    </Confirm>
  );
}
