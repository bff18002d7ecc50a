import './strategy-dialog.css';
import type { JSX } from 'preact';
import type { ListedSegment } from '../calls/segments.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Later } from '../parts/later.tsx';
import { listDraftProblems } from '../strategy/draft.ts';
import type { FieldChoice } from '../strategy/use-field-choices.ts';
import type { StrategyDraft } from './template-draft.ts';

/** Loads the fields with the page on which strategies of flags are edited: few people need them to look at a template. */
const loadFields = async () => (await import('../strategy/strategy-editor.tsx')).StrategyFields;

interface StrategyDialogProps {
  /** The name of the milestone. */
  readonly milestone: string;
  readonly strategy: StrategyDraft;
  readonly project: string | null;
  readonly fields: readonly FieldChoice[];
  readonly segments: readonly ListedSegment[];
  readonly onChange: (change: Partial<StrategyDraft>) => void;
  readonly onClose: () => void;
}

/** The dialog in which a strategy of a milestone is edited. Edits are part of the draft of the template at once. */
export function StrategyDialog({ milestone, strategy, onClose, ...rest }: StrategyDialogProps): JSX.Element {
  return (
    <Dialog
      kind="wide"
      title={`Strategy in “${milestone}”`}
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="milestone-strategy">
        <Later load={loadFields} props={{ ...rest, draft: strategy }} />
        <FormProblems problems={listDraftProblems(strategy)} />
      </div>
    </Dialog>
  );
}
