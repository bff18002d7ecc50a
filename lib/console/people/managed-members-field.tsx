import './people-picker.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ShownMember } from '../../people/rights/access-schema.ts';
import { Checks } from '../parts/forms/checks.tsx';
import { accountNamesOf, personNameOf } from '../words/people.ts';
import { splitMembers } from './managed-members.ts';

interface ManagedMembersFieldProps {
  readonly members: readonly ShownMember[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: number[]) => void;
}

/** The most names of members that are listed. */
const shownMax = 60;

/** The members of a group that a directory manages. Only those whom it has not added can be removed, and nobody can be added. */
export function ManagedMembersField({ members, chosen, onChange }: ManagedMembersFieldProps): JSX.Element {
  const { ofDirectory, others } = useMemo(() => splitMembers(members), [members]);
  const more = ofDirectory.length - shownMax;
  return (
    <fieldset class="people-picker">
      <legend>
        Members <span class="muted">{chosen.length}</span>
      </legend>
      {ofDirectory.length > 0 && (
        <p class="section-note">
          {ofDirectory.slice(0, shownMax).map(personNameOf).join(', ')}
          {more > 0 && ` and ${more} more`}
        </p>
      )}
      <small>
        {ofDirectory.length > 0
          ? 'The directory manages them by SCIM. Add and remove people there.'
          : 'The directory adds people to this group.'}
      </small>
      {others.length > 0 && (
        <>
          <Checks
            label="Not added by the directory"
            choices={others.map((person) => [person.id, personNameOf(person), accountNamesOf(person) || undefined])}
            chosen={chosen}
            onChange={onChange}
          />
          <small>You can remove them here. Only the directory can add them again.</small>
        </>
      )}
    </fieldset>
  );
}
