import './choice-cards.css';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import type { IconName } from '../icons.ts';

/** A choice among a few, each with a sentence about it. */
export interface ChoiceCard<T extends string> {
  readonly value: T;
  readonly title: string;
  readonly text: string;
  readonly icon?: IconName;
}

interface ChoiceCardsProps<T extends string> {
  readonly label: string;
  readonly cards: readonly ChoiceCard<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  readonly isDisabled?: boolean;
}

/** A choice among a few as cards; the arrow keys move between them. */
export function ChoiceCards<T extends string>({
  label,
  cards,
  value,
  onChoose,
  isDisabled = false,
}: ChoiceCardsProps<T>): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choice-cards" disabled={isDisabled}>
      <legend>{label}</legend>
      {cards.map((card) => (
        <label key={card.value}>
          <input
            type="radio"
            name={name}
            value={card.value}
            checked={card.value === value}
            onChange={() => onChoose(card.value)}
          />
          {card.icon !== undefined && <Icon name={card.icon} size={18} />}
          <span>
            <b>{card.title}</b>
            <small>{card.text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
