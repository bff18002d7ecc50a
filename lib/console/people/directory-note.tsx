import './directory-note.css';
import type { JSX } from 'preact';
import { Tag } from '../parts/small.tsx';

/** The mark of a person or a group that a directory manages, below the heading. */
export function DirectoryNote({ what }: { readonly what: 'account' | 'group' }): JSX.Element {
  return (
    <p class="section-note directory-note">
      <Tag tone="info">Directory</Tag>{' '}
      {what === 'account'
        ? 'A directory manages this account by SCIM: its name, its address and whether it is active. Its role is given here.'
        : 'A directory manages this group by SCIM: its name and its members. Its roles are given here.'}
    </p>
  );
}
