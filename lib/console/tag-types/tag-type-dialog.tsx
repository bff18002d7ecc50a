import './tag-types.css';
import type { JSX } from 'preact';
import type { TagType } from '../../tags/tag-schema.ts';
import { createTagType, getTagType, getTagTypes, updateTagType } from '../calls/tags.ts';
import { reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';

type TagTypeEdits = Pick<TagType, 'name' | 'description' | 'color'>;

const emptyType: TagTypeEdits = { name: '', description: '', color: null };

function toEdits({ name, description, color }: TagTypeEdits): TagTypeEdits {
  return { name, description, color };
}

interface TagTypeDialogProps {
  readonly edited: TagType | 'new';
  readonly onClose: () => void;
}

/** Creates or edits a tag type. */
export function TagTypeDialog({ edited, onClose }: TagTypeDialogProps): JSX.Element | null {
  const path = edited === 'new' ? undefined : getTagType({ name: edited.name });
  const { value, etag, problem } = useRead(path, 60_000);
  // The form begins with the version that its changes name.
  if (path !== undefined && value === undefined && problem === undefined) return null;
  const known = value?.tagType ?? (edited === 'new' ? emptyType : edited);
  return <Form path={path} original={{ value: toEdits(known), etag }} onClose={onClose} />;
}

interface FormProps {
  readonly path: ReturnType<typeof getTagType> | undefined;
  readonly original: Versioned<TagTypeEdits>;
  readonly onClose: () => void;
}

function Form({ path, original, onClose }: FormProps): JSX.Element {
  const isNew = path === undefined;
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original,
    send: ({ name, description, color }, { etag }) =>
      isNew
        ? createTagType({}, { body: { name, description, color } })
        : updateTagType({ name }, { body: { description, color }, ifMatch: etag }),
    load: async () => path && loadVersioned(path, ({ tagType }) => toEdits(tagType)),
    onSaved: ({ name }) => {
      showMessage(`Saved the tag type ${name}`);
      void reload(getTagTypes({}));
      onClose();
    },
  });

  if (conflict !== undefined) return conflict;
  return (
    <FormDialog
      title={isNew ? 'New tag type' : `Edit ${draft.name}`}
      verb="Save"
      isBusy={isBusy}
      isDisabled={draft.name === ''}
      problems={problems}
      onSubmit={save}
      onClose={onClose}
    >
      {isNew && <TextField label="Name" isCode maxLength={50} value={draft.name} onInput={(name) => set({ name })} />}
      <TextField label="Description" value={draft.description} onInput={(description) => set({ description })} />
      <Check
        label="It has a colour"
        isChecked={draft.color !== null}
        onCheck={(hasColor) => set({ color: hasColor ? '#3f6fd9' : null })}
      />
      {draft.color !== null && (
        <Field label="Colour">
          <input
            class="input swatch-field"
            type="color"
            value={draft.color}
            onInput={(event) => set({ color: event.currentTarget.value })}
          />
        </Field>
      )}
    </FormDialog>
  );
}
