import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reviewChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { startPath } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import type { PartProps } from './request-parts.ts';

/** Records that the reader has looked at what was changed under an override. */
export function ReviewDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send(): Promise<void> {
    setBusy(true);
    try {
      await reviewChangeRequestOverride(
        { projectId: request.project, id: request.id },
        { body: { comment: comment.trim() }, ifMatch: version },
      );
    } catch (error) {
      setProblem((error as Refusal).message);
      setBusy(false);
      return;
    }
    showMessage('You have seen it. It leaves the inbox.');
    await Promise.all([reload(path), reload(startPath)]);
    onClose();
  }

  return (
    <Dialog
      title="Seen what was changed?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            kind="solid"
            isBusy={isBusy}
            reason={comment.trim() === '' ? 'Write a comment first.' : undefined}
            onClick={send}
          >
            Seen
          </Button>
        </>
      }
    >
      <p>Nothing is undone by that. It says that a second person has looked at these changes.</p>
      <Field label="Comment, which is needed: what do you think of it?" problem={problem}>
        <textarea
          class="input"
          rows={3}
          maxLength={1_000}
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
      </Field>
    </Dialog>
  );
}
