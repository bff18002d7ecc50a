import './command.css';
import type { JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** A command or the content of a file, with a button that copies it. Lines wrap between words only, and not within `--option`. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="command">
      <pre>{text.split(/(\s+)/).map((part, index) => (index % 2 === 0 ? <span key={index}>{part}</span> : part))}</pre>
      <CopyButton text={text} label="Copy" kind="quiet" />
    </div>
  );
}
