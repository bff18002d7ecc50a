import './strategy-fields.css';
import type { JSX } from 'preact';
import type { ListedSegment } from '../calls/segments.ts';
import { TextField } from '../parts/forms/text-field.tsx';
import { ConditionsEditor } from './conditions-editor.tsx';
import type { Draft } from './draft.ts';
import { Parameters, Rollout } from './parameters.tsx';
import { SegmentsEditor } from './segments-editor.tsx';
import type { FieldChoice } from './use-field-choices.ts';
import { VariantsEditor } from './variants-editor.tsx';

interface StrategyFieldsProps {
  readonly draft: Draft;
  /** The project whose segments it can use beside those of all projects; null for these alone. */
  readonly project: string | null;
  readonly fields: readonly FieldChoice[];
  readonly segments: readonly ListedSegment[];
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The fields of a strategy: whom it reaches, where, and with which variants. A page shows those of one. */
export function StrategyFields({ draft, project, fields, segments, onChange }: StrategyFieldsProps): JSX.Element {
  const setParameter = (name: string, value: string) =>
    onChange({ parameters: { ...draft.parameters, [name]: value } });
  return (
    <>
      <section class="card editor-card">
        <TextField
          label="Name (optional)"
          value={draft.title}
          placeholder="Beta testers"
          onInput={(title) => onChange({ title })}
        />
        {draft.name === 'flexibleRollout' ? (
          <Rollout draft={draft} onSet={setParameter} />
        ) : (
          <Parameters draft={draft} onSet={setParameter} />
        )}
      </section>
      <section class="card editor-card" aria-labelledby="editor-conditions">
        <h2 id="editor-conditions">Only where all of this holds</h2>
        <SegmentsEditor
          chosen={draft.segments}
          all={segments}
          project={project}
          onChange={(chosen) => onChange({ segments: chosen })}
        />
        <ConditionsEditor
          conditions={draft.constraints}
          fields={fields}
          onChange={(constraints) => onChange({ constraints })}
        />
      </section>
      <section class="card editor-card" aria-labelledby="editor-variants">
        <h2 id="editor-variants">Variants</h2>
        <VariantsEditor
          variants={draft.variants}
          stickiness={draft.parameters.stickiness ?? 'default'}
          onChange={(variants) => onChange({ variants })}
        />
      </section>
    </>
  );
}
