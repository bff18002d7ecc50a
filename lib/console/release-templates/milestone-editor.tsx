import './milestone-editor.css';
import '../parts/forms/form.css';
import type { JSX } from 'preact';
import type { ListedSegment } from '../calls/segments.ts';
import { Button } from '../parts/button.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Meter, Tag } from '../parts/small.tsx';
import { LengthFields } from '../plan/length-fields.tsx';
import { listDraftProblems } from '../strategy/draft.ts';
import { describeStrategy } from '../words/events.ts';
import { describeLimits, shareOf } from './describe-limits.ts';
import { buildNewStrategy, type MilestoneDraft, type MilestoneProblems, moveTo } from './template-draft.ts';

interface MilestoneEditorProps {
  readonly milestone: MilestoneDraft;
  /** The index among the milestones. */
  readonly index: number;
  readonly isLast: boolean;
  readonly problems: MilestoneProblems;
  /** The problems that the service has found in strategies, by their ids. */
  readonly strategyProblems: ReadonlyMap<string, readonly string[]>;
  readonly segments: readonly ListedSegment[];
  readonly onChange: (change: Partial<MilestoneDraft>) => void;
  /** Opens the editor of a strategy. */
  readonly onEdit: (strategyId: string) => void;
  /** @param by -1 to move it up by one, 1 to move it down. */
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** A milestone of a template: its name, its strategies, and how the next one starts. */
export function MilestoneEditor(props: MilestoneEditorProps): JSX.Element {
  const { milestone, index, isLast, problems, strategyProblems, segments } = props;
  const { name, interval, strategies } = milestone;
  const { onChange, onEdit, onMove, onRemove } = props;
  const title = name.trim() || `milestone ${index + 1}`;
  return (
    <section class="card milestone" aria-label={`Milestone ${index + 1}`}>
      <div class="milestone-head">
        <span class="milestone-number" aria-hidden="true">
          {index + 1}
        </span>
        <div class="grow">
          <TextField
            label={`Name of milestone ${index + 1}`}
            required
            maxLength={100}
            value={name}
            problem={problems.name}
            onInput={(typed) => onChange({ name: typed })}
          />
        </div>
        <span class="milestone-acts">
          <MoveButtons name={title} index={index} isLast={isLast} onMove={onMove} />
          <Button kind="quiet" aria-label={`Remove ${title}`} onClick={onRemove}>
            <Icon name="trash" />
          </Button>
        </span>
      </div>
      <ul class="milestone-strategies">
        {strategies.map((strategy, position) => (
          <li key={strategy.id}>
            <div class="milestone-strategy-head">
              <button type="button" class="milestone-strategy-name" onClick={() => onEdit(strategy.id)}>
                {describeStrategy({ ...strategy })}
              </button>
              {strategy.disabled && <Tag>Switched off</Tag>}
              <span class="milestone-share">{shareOf(strategy)}%</span>
              <MoveButtons
                name={`${describeStrategy({ ...strategy })} in ${title}`}
                index={position}
                isLast={position === strategies.length - 1}
                isSilent={strategies.length === 1}
                onMove={(by) => onChange({ strategies: moveTo(strategies, position, position + by) })}
              />
              <Button
                kind="quiet"
                aria-label={`Remove ${describeStrategy({ ...strategy })} from ${title}`}
                onClick={() => onChange({ strategies: strategies.filter(({ id }) => id !== strategy.id) })}
              >
                <Icon name="trash" />
              </Button>
            </div>
            <Meter value={shareOf(strategy)} isOff={strategy.disabled} />
            <p class="muted">{describeLimits(strategy, segments).join(' · ')}</p>
            <FormProblems problems={[...listDraftProblems(strategy), ...(strategyProblems.get(strategy.id) ?? [])]} />
          </li>
        ))}
      </ul>
      {problems.strategies !== undefined && <FieldProblem text={problems.strategies} />}
      <div>
        <Button
          icon="plus"
          onClick={() => {
            const strategy = buildNewStrategy();
            onChange({ strategies: [...strategies, strategy] });
            onEdit(strategy.id);
          }}
        >
          Add a strategy<span class="hidden"> to {title}</span>
        </Button>
      </div>
      {!isLast && (
        <div class="milestone-next">
          <SelectField
            label="The next milestone starts"
            value={interval === null ? 'person' : 'time'}
            options={[
              ['person', 'when somebody starts it'],
              ['time', 'by itself, after a time'],
            ]}
            onChoose={(way) => onChange({ interval: way === 'person' ? null : { count: '1', unit: 'days' } })}
          />
          {interval !== null && (
            <LengthFields
              label="After"
              value={interval}
              problem={problems.interval}
              onChange={(typed) => onChange({ interval: typed })}
            />
          )}
        </div>
      )}
    </section>
  );
}

interface MoveButtonsProps {
  readonly name: string;
  readonly index: number;
  readonly isLast: boolean;
  /** True for the only one of a list, which has no buttons. */
  readonly isSilent?: boolean;
  readonly onMove: (by: -1 | 1) => void;
}

/** Buttons that move an element of a list up and down. The pressed one keeps the focus. */
function MoveButtons({ name, index, isLast, isSilent = false, onMove }: MoveButtonsProps): JSX.Element | null {
  if (isSilent || (index === 0 && isLast)) return null;
  const move = (by: -1 | 1) => (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement;
    onMove(by);
    // The browser takes the focus from an element that is moved.
    requestAnimationFrame(() => button.focus());
  };
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`Move ${name} up`}
        reason={index === 0 ? 'It is the first one.' : undefined}
        onClick={move(-1)}
      >
        <Icon name="arrow-up" />
      </Button>
      <Button
        kind="quiet"
        aria-label={`Move ${name} down`}
        reason={isLast ? 'It is the last one.' : undefined}
        onClick={move(1)}
      >
        <Icon name="arrow-down" />
      </Button>
    </>
  );
}
