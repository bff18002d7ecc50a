import './people-picker.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Checks } from '../parts/forms/checks.tsx';
import { accountNamesOf, filterPeople, personNameOf } from '../words/people.ts';

interface PickablePerson {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

interface PeoplePickerProps {
  readonly label: string;
  readonly people: readonly PickablePerson[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: number[]) => void;
}

/** The most people who are listed at once. A search finds the others. */
const shownMax = 60;

/** A choice of people, with a search. Those who were chosen when it opened come first. */
export function PeoplePicker({ label, people, chosen, onChange }: PeoplePickerProps): JSX.Element {
  const [search, setSearch] = useState('');
  const [chosenBefore] = useState(() => new Set(chosen));
  const sorted = useMemo(
    () =>
      people.toSorted(
        (a, b) =>
          Number(chosenBefore.has(b.id)) - Number(chosenBefore.has(a.id)) ||
          personNameOf(a).localeCompare(personNameOf(b)),
      ),
    [people, chosenBefore],
  );
  const shown = filterPeople(sorted, search).slice(0, shownMax);
  return (
    <fieldset class="people-picker">
      <legend>
        {label} <span class="muted">{chosen.length}</span>
      </legend>
      <input
        class="input"
        type="search"
        autocomplete="off"
        aria-label={`${label}: search by name`}
        placeholder="Search by name"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <Checks
        label={label}
        isTitled={false}
        choices={shown.map((person) => [person.id, personNameOf(person), accountNamesOf(person) || undefined])}
        chosen={chosen}
        onChange={onChange}
      />
      {shown.length === 0 && <p class="section-note">Nobody matches.</p>}
    </fieldset>
  );
}
