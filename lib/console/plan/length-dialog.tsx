import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChangeDialog } from '../change/flag-change.tsx';
import { type MilestoneView, progressOf } from '../words/plans.ts';
import { LengthFields } from './length-fields.tsx';
import { findLengthProblem, toLengthMinutes, toTypedLength } from './milestone-length.ts';
import { buildLengthChange, type PlanPlace } from './plan-changes.ts';

interface LengthDialogProps {
  readonly where: PlanPlace;
  readonly milestone: MilestoneView;
  readonly next: MilestoneView;
  readonly onClose: () => void;
}

/** Asks after which time a milestone gives way to the next one. */
export function LengthDialog({ where, milestone, next, onClose }: LengthDialogProps): JSX.Element {
  const [typed, setTyped] = useState(toTypedLength(milestone.transitionCondition?.intervalMinutes ?? 1_440));
  const isActive = progressOf(where.plan).active?.id === milestone.id;
  const problem = findLengthProblem(typed, milestone, isActive);
  const minutes = toLengthMinutes(typed);
  return (
    <ChangeDialog
      flag={where.flag}
      title={`How long does “${milestone.name}” last?`}
      change={
        minutes === undefined || problem !== undefined ? undefined : buildLengthChange(where, milestone, next, minutes)
      }
      onClose={onClose}
    >
      <div class="form-pair">
        <LengthFields label="Time" value={typed} problem={problem} onChange={setTyped} />
      </div>
    </ChangeDialog>
  );
}
