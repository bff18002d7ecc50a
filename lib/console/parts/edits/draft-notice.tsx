import './edit-form.css';
import type { JSX } from 'preact';
import { describeSpan } from '../../words/times.ts';
import { Button } from '../button.tsx';

interface NoticeProps {
  /** The time of the last edit, in milliseconds since 1970; undefined to show nothing. */
  readonly restoredAt: number | undefined;
  readonly onDiscard: () => void;
}

/** The notice that earlier edits were restored in a form, with a button that discards them. */
export function DraftNotice({ restoredAt, onDiscard }: NoticeProps): JSX.Element | null {
  if (restoredAt === undefined) return null;
  return (
    <p class="draft-notice" role="status">
      Your draft of {describeSpan((Date.now() - restoredAt) / 1_000)} ago is back.
      <Button onClick={onDiscard}>Discard it</Button>
    </p>
  );
}
