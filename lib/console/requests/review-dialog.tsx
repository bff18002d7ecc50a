import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reviewChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import { startPath } from '../data/start.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import type { PartProps } from './request-parts.ts';

/** Records that the reader has looked at what was changed under an override. */
export function ReviewDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [comment, setComment] = useState('');

  async function send(): Promise<void> {
    await reviewChangeRequestOverride(
      { projectId: request.project, id: request.id },
      { body: { comment: comment.trim() }, ifMatch: version },
    );
    showMessage('You have seen it. It leaves the inbox.');
    await Promise.all([reload(path), reload(startPath)]);
  }

  return (
    <Confirm
      title="Seen what was changed?"
      verb="Seen"
      cancel="Not now"
      reason={comment.trim() === '' ? 'Write a comment first.' : undefined}
      act={send}
      onClose={onClose}
    >
      <p>Nothing is undone by that. It says that a second person has looked at these changes.</p>
      <TextArea
        label="Comment, which is needed: what do you think of it?"
        rows={3}
        maxLength={1_000}
        value={comment}
        onInput={setComment}
      />
    </Confirm>
  );
}
