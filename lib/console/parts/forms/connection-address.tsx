import type { JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** The row of a connection with the address that other programs need, and a button that copies it. */
export function ConnectionAddress({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <dt>Address</dt>
      <dd>
        <code>{address}</code>
        <CopyButton kind="quiet" text={address} label="Copy the address" />
      </dd>
    </>
  );
}
