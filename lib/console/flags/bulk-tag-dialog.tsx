import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedFlag } from '../../screens/flags-schema.ts';
import type { FlagTag } from '../calls/flags.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TagsField } from '../parts/edits/tags-field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { countOf } from '../words/numbers.ts';
import { type ProjectFlags, parseTag, tagFlags } from './bulk-changes.ts';

interface BulkTagProps {
  readonly flags: readonly ListedFlag[];
  readonly groups: readonly ProjectFlags[];
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Adds tags to flags, and removes those that some of them have. */
export function BulkTagDialog({ flags, groups, onDone, onClose }: BulkTagProps): JSX.Element {
  const before = [...new Set(flags.flatMap(({ tags }) => tags))].toSorted().map(parseTag);
  const [kept, setKept] = useState<readonly FlagTag[]>(before);
  const [added, setAdded] = useState<readonly FlagTag[]>([]);
  const { isBusy, problems, send } = useSending();
  const removed = before.filter((tag) => !kept.some(({ type, value }) => type === tag.type && value === tag.value));
  const count = countOf(flags.length, 'flag');

  async function save(): Promise<void> {
    if (!(await send(() => tagFlags(groups, added, removed)))) return;
    onClose();
    await onDone(`Changed the tags of ${count}`);
  }

  return (
    <Dialog
      title={`Tag ${count}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" isBusy={isBusy} isDisabled={added.length + removed.length === 0} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <TagsField label="Add to all" tags={added} onChange={setAdded} />
      {before.length > 0 && (
        <TagsField
          label="Tags that some have; removed from all that have them"
          tags={kept}
          canAdd={false}
          onChange={setKept}
        />
      )}
      <FormProblems problems={problems} />
    </Dialog>
  );
}
