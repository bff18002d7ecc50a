import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { updateChangeRequestTitle } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import type { PartProps } from './request-parts.ts';

/** Changes the title of a change request. */
export function TitleDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [title, setTitle] = useState(request.title ?? '');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await updateChangeRequestTitle(
        { projectId: request.project, id: request.id },
        { body: { title: title.trim() }, ifMatch: version },
      );
    } catch (error) {
      const { status, message } = error as Refusal;
      setProblem(status === 412 ? 'Somebody changed the request meanwhile. Send it again.' : message);
      setBusy(false);
      await reload(path);
      return;
    }
    await reload(path);
    onClose();
  }

  return (
    <Dialog
      title="Change the title"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" type="submit" form="title" isBusy={isBusy} isDisabled={title.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <form id="title" onSubmit={save}>
        <Field label="Title" problem={problem} hint="Once others see the request, a comment keeps the earlier title.">
          <input class="input" maxLength={255} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
