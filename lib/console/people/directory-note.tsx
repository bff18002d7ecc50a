import './directory-note.css';
import type { JSX } from 'preact';
import { Tag } from '../parts/small.tsx';

const notes = {
  account:
    'A directory manages this account by SCIM: its name, its address and whether it is active. Its role is given here.',
  group: 'A directory manages this group by SCIM: its name and its members. Its roles are given here.',
  gone: 'A directory has deactivated this account, and only a directory can activate it again. Its roles stay.',
} as const;

/** The note below the heading of a person or group that a directory manages, or of a person whom it has deactivated. */
export function DirectoryNote({ kind }: { readonly kind: keyof typeof notes }): JSX.Element {
  return (
    <p class="section-note directory-note">
      <Tag tone="info">Directory</Tag> {notes[kind]}
    </p>
  );
}
