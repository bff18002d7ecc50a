import '../parts/edits/edit-form.css';
import { expireFlagLists } from '../flags/expire-flag-lists.ts';
import './edit-flag.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { peek, reload } from '../data/cache.ts';
import { type ConflictingEdits, saveEdits, type Versioned } from '../data/save-edits.ts';
import { useDraft } from '../data/use-draft.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ConflictDialog } from '../parts/edits/conflict-dialog.tsx';
import { DraftNotice } from '../parts/edits/draft-notice.tsx';
import { TagsField } from '../parts/edits/tags-field.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
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
  const { opened, draft, setDraft, isEdited, restoredAt, discard, forget } = useDraft<FlagEdits>(
    `draft of ${feature.project} ${feature.name}`,
    { value: toFlagEdits(feature), etag: version },
  );
  const { isBusy, problems: refusals, send } = useSending();
  const [isTried, setTried] = useState(false);
  const [conflicting, setConflicting] = useState<ConflictingEdits<FlagEdits>>();
  const problems = listFlagEditProblems(draft);
  const set = (change: Partial<FlagEdits>) => setDraft({ ...draft, ...change });

  async function loadCurrent(): Promise<Versioned<FlagEdits> | undefined> {
    await reload(path);
    const { value: now } = peek(path);
    return now && { value: toFlagEdits(now.feature), etag: now.version };
  }

  async function save(mine: FlagEdits, base: Versioned<FlagEdits>): Promise<void> {
    setConflicting(undefined);
    // Each attempt sends the differences from the state of its version.
    let current = base.value;
    const isSaved = await send(async () => {
      const found = await saveEdits({
        opened: base,
        mine,
        send: (edits, etag) => sendFlagEdits(feature, current, edits, etag),
        loadCurrent: async () => {
          const now = await loadCurrent();
          if (now !== undefined) current = now.value;
          return now;
        },
      });
      if (found !== undefined) return setConflicting(found);
      forget();
      expireFlagLists();
      showMessage(`Saved ${feature.name}`);
      await reload(path);
      onClose();
    });
    if (!isSaved) await reload(path);
  }

  if (conflicting !== undefined) {
    return (
      <ConflictDialog
        edits={conflicting}
        change={flag.events[0]}
        onChoose={(merged) => {
          setDraft(merged);
          void save(merged, conflicting.current);
        }}
        onClose={() => setConflicting(undefined)}
      />
    );
  }
  return (
    <Dialog
      kind="wide"
      title={`Edit ${feature.name}`}
      onClose={() => {
        // The edits stay in this tab, and the form shows them again.
        onClose();
      }}
      actions={
        <>
          <Button
            onClick={() => {
              forget();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button
            kind="solid"
            isBusy={isBusy}
            isDisabled={!isEdited}
            onClick={() => {
              setTried(true);
              if (problems.length === 0) void save(draft, opened);
            }}
          >
            Save
          </Button>
        </>
      }
    >
      <DraftNotice restoredAt={restoredAt} onDiscard={discard} />
      <Field label="Description">
        <textarea
          class="input"
          rows={3}
          value={draft.description}
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
      </Field>
      <Field label="Type">
        <select class="input" value={draft.type} onChange={(event) => set({ type: event.currentTarget.value })}>
          {Object.entries(typeNames).map(([type, name]) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <TagsField tags={draft.tags} onChange={(tags) => set({ tags })} />
      <LinksField links={draft.links} onChange={(links) => set({ links })} />
      <label class="edit-check">
        <input
          type="checkbox"
          checked={draft.impressionData}
          onChange={() => set({ impressionData: !draft.impressionData })}
        />
        <span>
          SDKs report each evaluation to the application
          <small>Impression data, for analytics</small>
        </span>
      </label>
      <FormProblems problems={[...(isTried ? problems : []), ...refusals]} />
    </Dialog>
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
    onChange(links.map((link, place) => (place === index ? { ...link, ...change } : link)));
  return (
    <fieldset class="edit-links">
      <legend>Links</legend>
      {links.map((link, index) => (
        <div key={index}>
          <input
            class="input"
            type="url"
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
            onClick={() => onChange(links.filter((_, place) => place !== index))}
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
