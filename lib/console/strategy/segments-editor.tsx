import type { JSX } from 'preact';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { Button } from '../parts/button.tsx';
import { Condition } from '../parts/condition.tsx';
import { Icon } from '../parts/icon.tsx';

interface SegmentsProps {
  readonly chosen: readonly number[];
  readonly all: readonly Pick<ShownSegment, 'id' | 'name' | 'project' | 'constraints'>[];
  readonly project: string | null;
  readonly onChange: (chosen: readonly number[]) => void;
}

/** The segments of a strategy: those that are chosen with their conditions, and one to add. */
export function SegmentsEditor({ chosen, all, project, onChange }: SegmentsProps): JSX.Element {
  const usable = all.filter((segment) => !segment.project || segment.project === project);
  const others = usable.filter(({ id }) => !chosen.includes(id));
  return (
    <div class="editor-segments">
      {chosen.map((id) => {
        const { name, constraints } = all.find((segment) => segment.id === id) ?? {
          name: `segment ${id}`,
          constraints: [],
        };
        return (
          <div key={id} class="editor-segment">
            <div class="grow">
              in <b>{name}</b>
              {constraints.map((condition) => (
                <p key={JSON.stringify(condition)}>
                  <Condition condition={condition} />
                </p>
              ))}
            </div>
            <Button
              kind="quiet"
              aria-label={`Remove the segment ${name}`}
              onClick={() => onChange(chosen.filter((each) => each !== id))}
            >
              <Icon name="trash" />
            </Button>
          </div>
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
