import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reviewChangeRequestOverride } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import type { PartProps } from './request-parts.ts';

/** Records that the reader has looked at the changes of an override. */
export function ReviewDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [comment, setComment] = useState('');

  async function send(): Promise<void> {
    await reviewChangeRequestOverride(
      { projectId: request.project, id: request.id },
      { body: { comment: comment.trim() }, ifMatch: version },
    );
    showMessage('The override is marked as seen. It leaves the inbox.');
    await Promise.all([reload(path), reload(startPath)]);
  }

  return (
    <Confirm
      title="Have you looked at the changes?"
      verb="Mark as seen"
      cancel="Not now"
      reason={comment.trim() === '' ? 'Write a comment first.' : undefined}
      act={send}
      onClose={onClose}
    >
      <p>This records that a second person has looked at the changes. It does not undo them.</p>
      <TextArea label="Comment (required)" rows={3} maxLength={1_000} value={comment} onInput={setComment} />
    </Confirm>
  );
}
