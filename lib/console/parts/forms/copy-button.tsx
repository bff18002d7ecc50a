import type { JSX } from 'preact';
import { Button } from '../button.tsx';
import { showMessage, showProblem } from '../toasts.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Names the text, such as "Copy the link". */
  readonly label: string;
  readonly kind?: 'plain' | 'quiet';
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, kind = 'plain' }: CopyButtonProps): JSX.Element {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      showMessage('Copied');
    } catch {
      showProblem('The browser does not let this page copy. Select the text, and copy it yourself.');
    }
  }
  return (
    <Button kind={kind} icon="copy" onClick={copy}>
      {label}
    </Button>
  );
}
