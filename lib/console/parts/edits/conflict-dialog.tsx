import './conflict-dialog.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type MergeConflict, takeTheirs } from '../../data/merge.ts';
import type { ConflictingEdits } from '../../data/save-edits.ts';
import { describeProperty, describeValue } from '../../words/differences.ts';
import { describeAge } from '../../words/times.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';

export interface ConflictDialogProps<T> {
  readonly edits: ConflictingEdits<T>;
  /** The person who changed it last, and the time; undefined if nobody is known. */
  readonly change: { readonly author: string; readonly createdAt: string } | undefined;
  /** Called with the merged state, which is based on the current version. */
  readonly onChoose: (merged: T) => void;
  readonly onClose: () => void;
}

/** Asks, for each part that two people have changed, which change to keep. Both are kept until the reader decides. */
export function ConflictDialog<T extends object>({
  edits: { merged, conflicts },
  change,
  onChoose,
  onClose,
}: ConflictDialogProps<T>): JSX.Element {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (part: string, isTheirs: boolean) => {
    const others = [...theirs].filter((each) => each !== part);
    setTheirs(new Set(isTheirs ? [...others, part] : others));
  };
  const author = change?.author ?? 'Somebody';
  return (
    <Dialog
      kind="wide"
      title={change === undefined ? 'Somebody changed this' : `${author} changed this ${describeAge(change.createdAt)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Go on editing</Button>
          <Button kind="solid" onClick={() => onChoose(takeTheirs(merged, conflicts, theirs))}>
            Save this
          </Button>
        </>
      }
    >
      <p>You both changed the same parts. Choose one version of each. All other changes are kept.</p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.part}
          conflict={conflict}
          author={author}
          isTheirs={theirs.has(conflict.part)}
          onChoose={(isTheirs) => choose(conflict.part, isTheirs)}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly conflict: MergeConflict;
  readonly author: string;
  readonly isTheirs: boolean;
  readonly onChoose: (isTheirs: boolean) => void;
}

function Choice({ conflict: { part, opened, mine, theirs }, author, isTheirs, onChoose }: ChoiceProps): JSX.Element {
  return (
    <fieldset class="conflict">
      <legend>
        {describeProperty(part.split('.').at(-1) ?? part)} <span class="muted">was {describeValue(opened)}</span>
      </legend>
      <label>
        <input type="radio" name={`conflict-${part}`} checked={!isTheirs} onChange={() => onChoose(false)} />
        <span>
          <b>Mine</b> {describeValue(mine)}
        </span>
      </label>
      <label>
        <input type="radio" name={`conflict-${part}`} checked={isTheirs} onChange={() => onChoose(true)} />
        <span>
          <b>{author === 'Somebody' ? 'Theirs' : `${author}’s`}</b> {describeValue(theirs)}
        </span>
      </label>
    </fieldset>
  );
}
