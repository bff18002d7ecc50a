import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedFlag } from '../../screens/flags-schema.ts';
import type { FlagTag } from '../calls/flags.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TagsField } from '../parts/edits/tags-field.tsx';
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
  const removed = before.filter((tag) => !kept.some(({ type, value }) => type === tag.type && value === tag.value));
  const count = countOf(flags.length, 'flag');

  async function save(): Promise<void> {
    await tagFlags(groups, added, removed);
    await onDone(`Changed the tags of ${count}`);
  }

  return (
    <Confirm
      title={`Tag ${count}`}
      verb="Save"
      isDisabled={added.length + removed.length === 0}
      act={save}
      onClose={onClose}
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
    </Confirm>
  );
}
