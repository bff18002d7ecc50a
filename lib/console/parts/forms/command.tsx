import './command.css';
import type { JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** A command or the content of a file, with a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="command">
      <pre>{text}</pre>
      <CopyButton text={text} label="Copy" kind="quiet" />
    </div>
  );
}
