import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { ContextField as ContextFieldInput } from '../schemas/context-field.ts';
import { keys, partitions } from '../table/keys.ts';

/** What constraints compare, e.g. the country of a user. */
export interface ContextField {
  readonly name: string;
  readonly description: string;
  readonly stickiness: boolean;
  readonly sortOrder: number;
  readonly createdAt: string;
  /** The values that constraints may name; none means any. */
  readonly legalValues: readonly { readonly value: string; readonly description?: string }[];
}

export const contextFields = entity<ContextField, string>({
  kind: 'context field',
  idOf: ({ name }) => name,
  keyOf: keys.contextField,
  partitions: [partitions.contextFields()],
  codec: codec<ContextField>({ legalValues: true }),
  events: { created: 'context-field-created', updated: 'context-field-updated', deleted: 'context-field-deleted' },
  shown: ({ createdAt: _createdAt, ...shown }) => shown,
});

/** Unleash's place for a field that does not say where it stands. */
const sortOrderDefault = 10;

export function newContextField(input: ContextFieldInput, createdAt: string): ContextField {
  const { name, description, stickiness = false, sortOrder = sortOrderDefault, legalValues = [] } = input;
  return { name, description: description ?? '', stickiness, sortOrder, createdAt, legalValues };
}
