import type { JSX } from 'preact';
import { getContextFields } from '../../calls/context-fields.ts';
import { useRead } from '../../data/cache.ts';
import { SelectField } from './select-field.tsx';

interface StickinessFieldProps {
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

const words: Readonly<Record<string, string>> = { default: 'userId, else session, else random' };

/** The choice of the stickiness: the context field that decides which users belong to a share. */
export function StickinessField({ value, onChoose }: StickinessFieldProps): JSX.Element {
  const { value: fields } = useRead(getContextFields({}), 60_000);
  const sticky = (fields ?? []).filter(({ stickiness }) => stickiness).map(({ name }) => name);
  const choices = [...new Set([value, 'default', 'userId', 'sessionId', 'random', ...sticky])];
  return (
    <SelectField
      label="Users told apart by"
      value={value}
      options={choices.map((choice) => [choice, words[choice] ?? choice] as const)}
      onChoose={onChoose}
    />
  );
}
