import '../chip.css';
import './tags-field.css';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { FlagTag } from '../../calls/flags.ts';
import { getTags, getTagTypes } from '../../calls/tags.ts';
import { useRead } from '../../data/cache.ts';
import { showTag } from '../../words/flags.ts';
import { Icon } from '../icon.tsx';

interface TagsFieldProps {
  readonly label?: string;
  readonly tags: readonly FlagTag[];
  /** False if tags can only be removed. */
  readonly canAdd?: boolean;
  readonly onChange: (tags: readonly FlagTag[]) => void;
}

/** The tags of a flag as chips that can be removed, and a field for another. The field reads the existing tags when it is first used. */
export function TagsField({ label = 'Tags', tags, canAdd = true, onChange }: TagsFieldProps): JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { value: known } = useRead(isUsed ? getTags({}) : undefined, 60_000);
  const { value: types } = useRead(isUsed ? getTagTypes({}) : undefined, 60_000);
  const [text, setText] = useState('');
  const [type, setType] = useState('simple');
  const id = useId();
  const isIn = (tag: FlagTag) => tags.some((each) => each.type === tag.type && each.value === tag.value);

  function add(): void {
    const tag = { type, value: text.trim() };
    if (tag.value !== '' && !isIn(tag)) onChange([...tags, tag]);
    setText('');
  }

  return (
    <fieldset class="tags-field">
      <legend>{label}</legend>
      {tags.map((tag) => (
        <button
          key={`${tag.type}:${tag.value}`}
          type="button"
          class="chip"
          aria-label={`Remove the tag ${showTag(tag)}`}
          onClick={() => onChange(tags.filter((each) => each !== tag))}
        >
          <span class="clip">{showTag(tag)}</span> <Icon name="x" size={12} />
        </button>
      ))}
      {(types?.tagTypes.length ?? 0) > 1 && (
        <select
          class="input"
          aria-label="Type of the tag"
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          {types?.tagTypes.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {canAdd && (
        <input
          class="input"
          aria-label="Add a tag: Enter or a comma ends it"
          placeholder="Add a tag"
          list={id}
          autocomplete="off"
          maxLength={50}
          value={text}
          onFocus={() => setUsed(true)}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if ((event.key !== 'Enter' && event.key !== ',') || text.trim() === '') return;
            event.preventDefault();
            add();
          }}
          onBlur={add}
        />
      )}
      <datalist id={id}>
        {known?.tags
          .filter((tag) => tag.type === type && !isIn(tag))
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
    </fieldset>
  );
}
