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
  /** The reason why the choice cannot be changed here. */
  readonly reason?: string | undefined;
}

/** The most people who are listed at once. A search finds the others. */
const shownMax = 60;

/** A choice of people, with a search. Those who were chosen when it opened come first. */
export function PeoplePicker({ label, people, chosen, onChange, reason }: PeoplePickerProps): JSX.Element {
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
  const legend = (
    <legend>
      {label} <span class="muted">{chosen.length}</span>
    </legend>
  );
  if (reason !== undefined) {
    const names = sorted.filter(({ id }) => chosen.includes(id)).map(personNameOf);
    const more = names.length - shownMax;
    return (
      <fieldset class="people-picker">
        {legend}
        <p class="section-note">
          {names.slice(0, shownMax).join(', ')}
          {more > 0 && ` and ${more} more`}
        </p>
        <small>{reason}</small>
      </fieldset>
    );
  }
  return (
    <fieldset class="people-picker">
      {legend}
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
