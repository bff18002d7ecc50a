import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import type {
  ContextFieldInput,
  ContextFieldUpdate,
  ImportedContextField,
  LegalValueInput,
} from '../schemas/context-field.ts';
import { keys, partitions } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';

/** A value that constraints may name. */
export interface LegalValue {
  readonly value: string;
  readonly description?: string;
}

/** What constraints compare, e.g. the country of a user. */
export interface ContextField {
  readonly name: string;
  readonly description: string;
  readonly stickiness: boolean;
  readonly sortOrder: number;
  readonly createdAt: string;
  /** The values that constraints may name; none means any. */
  readonly legalValues: readonly LegalValue[];
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

export function newContextField(input: ImportedContextField | ContextFieldInput, createdAt: string): ContextField {
  const { name, description, stickiness = false, sortOrder = sortOrderDefault, legalValues = [] } = input;
  return {
    name,
    description: description ?? '',
    stickiness,
    sortOrder,
    createdAt,
    legalValues: legalValues.map(legalValueOf),
  };
}

/** @throws ApiError 409 for a name in use; 400 for more than the store holds. */
export function createContextField(
  table: Table,
  actor: Actor,
  input: ContextFieldInput,
): Promise<Versioned<ContextField>> {
  return contextFields.create(table, actor, (createdAt) => newContextField(input, createdAt));
}

/**
 * Changes what the update names. Strategies keep values that are no longer legal.
 * @throws ApiError 404 for an unknown one; 400 for more than the store holds.
 */
export function updateContextField(
  table: Table,
  actor: Actor,
  name: string,
  { description, legalValues, ...update }: ContextFieldUpdate,
): Promise<Versioned<ContextField>> {
  return contextFields.update(table, actor, name, (before) => ({
    ...before,
    ...update,
    ...(description !== undefined && { description: description ?? '' }),
    ...(legalValues !== undefined && { legalValues: legalValues.map(legalValueOf) }),
  }));
}

/**
 * Adds a legal value at the end, or replaces the description of the one that is there.
 * @throws as `updateContextField` does.
 */
export function setLegalValue(
  table: Table,
  actor: Actor,
  name: string,
  input: LegalValueInput,
): Promise<Versioned<ContextField>> {
  const legalValue = legalValueOf(input);
  return contextFields.update(table, actor, name, (before) => {
    const isThere = before.legalValues.some(({ value }) => value === legalValue.value);
    const legalValues = isThere
      ? before.legalValues.map((each) => (each.value === legalValue.value ? legalValue : each))
      : [...before.legalValues, legalValue];
    return { ...before, legalValues };
  });
}

/**
 * Takes a legal value away, if it is there.
 * @throws as `updateContextField` does.
 */
export function removeLegalValue(
  table: Table,
  actor: Actor,
  name: string,
  value: string,
): Promise<Versioned<ContextField>> {
  return contextFields.update(table, actor, name, (before) => ({
    ...before,
    legalValues: before.legalValues.filter((each) => each.value !== value),
  }));
}

function legalValueOf({ value, description }: LegalValueInput): LegalValue {
  return { value, ...(typeof description === 'string' && { description }) };
}
