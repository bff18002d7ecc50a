import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';

interface SegmentsProps {
  readonly chosen: readonly number[];
  readonly all: readonly { readonly id: number; readonly name: string; readonly project?: string | null }[];
  readonly project: string;
  readonly onChange: (chosen: readonly number[]) => void;
}

/** The segments of a strategy: those that are chosen, and one to add. */
export function SegmentsEditor({ chosen, all, project, onChange }: SegmentsProps): JSX.Element {
  const usable = all.filter((segment) => !segment.project || segment.project === project);
  const others = usable.filter(({ id }) => !chosen.includes(id));
  return (
    <div class="editor-segments">
      {chosen.map((id) => {
        const name = all.find((segment) => segment.id === id)?.name ?? `segment ${id}`;
        return (
          <button
            key={id}
            type="button"
            class="chip"
            aria-label={`Remove the segment ${name}`}
            onClick={() => onChange(chosen.filter((each) => each !== id))}
          >
            in {name} <Icon name="x" size={12} />
          </button>
        );
      })}
      {others.length > 0 && (
        <select
          class="input"
          aria-label="Add a segment"
          value=""
          onChange={(event) => onChange([...chosen, Number(event.currentTarget.value)])}
        >
          <option value="">Add a segment</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
