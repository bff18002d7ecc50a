import { expireFlagLists } from '../change/expire-flag-lists.ts';
import './edit-flag.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { peek, reload } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { TagsField } from '../parts/edits/tags-field.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { typeNames } from '../words/flags.ts';
import { type EditedLink, type FlagEdits, listFlagEditProblems, sendFlagEdits, toFlagEdits } from './flag-edits.ts';

interface EditFlagProps {
  readonly flag: ConsoleFlag;
  readonly onClose: () => void;
}

/** Edits the properties of a flag that people read: description, type, tags, links. Applications get the same as before. */
export function EditFlag({ flag, onClose }: EditFlagProps): JSX.Element {
  const { feature, version } = flag;
  const path = getConsoleFlag({ projectId: feature.project, featureName: feature.name });
  const { draft, set, isEdited, isBusy, problems, save, forget, notice, conflict } = useEdits<FlagEdits>({
    key: `draft of ${feature.project} ${feature.name}`,
    original: { value: toFlagEdits(feature), etag: version },
    send: (edits, base) => sendFlagEdits(feature, base, edits),
    load: async () => {
      await reload(path);
      const { value: now } = peek(path);
      return now && { value: toFlagEdits(now.feature), etag: now.version };
    },
    onSaved: () => {
      expireFlagLists();
      showMessage(`Saved ${feature.name}`);
      onClose();
    },
    lastChange: flag.events[0],
  });
  const [isTried, setTried] = useState(false);
  const mistakes = listFlagEditProblems(draft);

  if (conflict !== undefined) return conflict;
  return (
    <FormDialog
      kind="wide"
      title={`Edit ${feature.name}`}
      verb="Save"
      isBusy={isBusy}
      isDisabled={!isEdited}
      problems={[...(isTried ? mistakes : []), ...problems]}
      onSubmit={() => {
        setTried(true);
        if (mistakes.length === 0) save();
      }}
      onCancel={() => {
        forget();
        onClose();
      }}
      onClose={onClose}
    >
      {notice}
      <TextArea
        label="Description"
        rows={3}
        value={draft.description}
        onInput={(description) => set({ description })}
      />
      <SelectField
        label="Type"
        value={draft.type}
        options={Object.entries(typeNames)}
        onChoose={(type) => set({ type })}
      />
      <TagsField tags={draft.tags} onChange={(tags) => set({ tags })} />
      <LinksField links={draft.links} onChange={(links) => set({ links })} />
      <Check
        label="SDKs report each evaluation to the application"
        hint="Impression data, for analytics"
        isChecked={draft.impressionData}
        onCheck={(impressionData) => set({ impressionData })}
      />
    </FormDialog>
  );
}

interface LinksFieldProps {
  readonly links: readonly EditedLink[];
  readonly onChange: (links: readonly EditedLink[]) => void;
}

/** The most links that a flag has. */
const linksMax = 10;

function LinksField({ links, onChange }: LinksFieldProps): JSX.Element {
  const set = (index: number, change: Partial<EditedLink>) =>
    onChange(links.map((link, position) => (position === index ? { ...link, ...change } : link)));
  return (
    <fieldset class="edit-links">
      <legend>Links</legend>
      {links.map((link, index) => (
        <div key={index}>
          <input
            class="input"
            inputMode="url"
            aria-label={`Address of link ${index + 1}`}
            placeholder="https://"
            value={link.url}
            onInput={(event) => set(index, { url: event.currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Title of link ${index + 1}`}
            placeholder="Title"
            value={link.title}
            onInput={(event) => set(index, { title: event.currentTarget.value })}
          />
          <Button
            kind="quiet"
            aria-label={`Remove link ${index + 1}`}
            onClick={() => onChange(links.filter((_, position) => position !== index))}
          >
            <Icon name="trash" />
          </Button>
        </div>
      ))}
      {links.length < linksMax && (
        <Button icon="plus" onClick={() => onChange([...links, { url: '', title: '' }])}>
          Add a link
        </Button>
      )}
    </fieldset>
  );
}
