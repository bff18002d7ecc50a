import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { updateChangeRequestTitle } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { type PartProps, reloadOnFailure } from './request-parts.ts';

/** Changes the title of a change request. */
export function TitleDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version } = page;
  const [title, setTitle] = useState(request.title ?? '');

  async function save(): Promise<void> {
    const body = { title: title.trim() };
    await reloadOnFailure(
      path,
      updateChangeRequestTitle({ projectId: request.project, id: request.id }, { body, ifMatch: version }),
    );
    await reload(path);
  }

  return (
    <Confirm title="Change the title" verb="Save" isDisabled={title.trim() === ''} act={save} onClose={onClose}>
      <TextField
        label="Title"
        hint="Once others see the request, a comment keeps the earlier title."
        maxLength={255}
        value={title}
        onInput={setTitle}
      />
    </Confirm>
  );
}
