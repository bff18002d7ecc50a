import { useMemo } from 'preact/hooks';
import { getContextFields } from '../calls/context-fields.ts';
import { useRead } from '../data/cache.ts';

/** A context field that a condition can compare. */
export interface FieldChoice {
  readonly name: string;
  readonly legalValues: readonly string[];
}

/** Returns the context fields that conditions can compare; none until they are read. */
export function useFieldChoices(): readonly FieldChoice[] {
  const { value: fields } = useRead(getContextFields({}), 60_000);
  return useMemo(
    () => (fields ?? []).map(({ name, legalValues }) => ({ name, legalValues: legalValues.map(({ value }) => value) })),
    [fields],
  );
}
