import type { ContextField } from '../schemas/context-field.ts';

/** A context field as the store holds it. */
export interface ContextFieldItem {
  readonly name: string;
  readonly description: string;
  readonly stickiness: boolean;
  readonly sortOrder: number;
  readonly createdAt: string;
  /** JSON: the values that constraints may name; none means any. */
  readonly legalValues: string;
}

/** Unleash's place for a field that does not say where it stands. */
const sortOrderDefault = 10;

export function contextFieldItem(field: ContextField, createdAt: string): ContextFieldItem {
  const { name, description, stickiness = false, sortOrder = sortOrderDefault, legalValues = [] } = field;
  return {
    name,
    description: description ?? '',
    stickiness,
    sortOrder,
    createdAt,
    legalValues: JSON.stringify(legalValues),
  };
}

export function legalValuesOf({ legalValues }: Pick<ContextFieldItem, 'legalValues'>): string[] {
  return (JSON.parse(legalValues) as { value: string }[]).map(({ value }) => value);
}
