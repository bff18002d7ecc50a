import type { JSX } from 'preact';
import type { EventType } from '../../events/event-schema.ts';
import { Chips, toggle } from '../parts/forms/chips.tsx';
import { describeEventType, groupEventTypes } from '../words/event-kinds.ts';

interface EventChoiceProps {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses kinds of events, group by group. */
export function EventChoice({ all, chosen, onChange }: EventChoiceProps): JSX.Element {
  const set = (types: readonly string[], isOn: boolean) =>
    onChange(
      isOn
        ? all.filter((type) => chosen.includes(type) || types.includes(type))
        : chosen.filter((type) => !types.includes(type)),
    );
  return (
    <fieldset class="event-choice">
      <legend>What is sent?</legend>
      {groupEventTypes(all).map(({ name, types }) => {
        const count = types.filter((type) => chosen.includes(type)).length;
        return (
          <div key={name} class="event-kind">
            <label>
              <input
                type="checkbox"
                checked={count === types.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = count > 0 && count < types.length;
                }}
                onChange={(event) => set(types, event.currentTarget.checked)}
              />
              {name}
            </label>
            <details>
              <summary>
                {count} of {types.length}
                <span class="hidden"> kinds of events about {name}</span>
              </summary>
              <ul>
                {types.map((type) => (
                  <li key={type}>
                    <label>
                      <input
                        type="checkbox"
                        checked={chosen.includes(type)}
                        onChange={(event) => set([type], event.currentTarget.checked)}
                      />
                      {describeEventType(type as EventType)}
                    </label>
                  </li>
                ))}
              </ul>
            </details>
          </div>
        );
      })}
    </fieldset>
  );
}

interface NameChoiceProps {
  readonly label: string;
  readonly all: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  /** The words for an empty choice. */
  readonly everything: string;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses some of a short list; none chosen means all. */
export function NameChoice({ label, all, chosen, everything, onChange }: NameChoiceProps): JSX.Element {
  return (
    <Chips
      label={label}
      options={[['', everything], ...all.map(({ id, name }) => [id, name] as const)]}
      chosen={chosen.length === 0 || chosen[0] === '*' ? [''] : chosen}
      onPress={(id) =>
        onChange(
          id === ''
            ? []
            : toggle(
                chosen.filter((each) => each !== '*'),
                id,
              ),
        )
      }
    />
  );
}
