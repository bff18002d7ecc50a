import type { ContextField, ContextFieldInput, ContextFieldUpdate } from '../../context-fields/context-field-schema.ts';
import type { PlacedStrategy } from '../../features/strategies/strategy-schema.ts';
import { change, read } from '../data/declare-call.ts';

/** A context field with the number of live flags that compare it. */
export interface ListedContextField extends ContextField {
  readonly usedInFeatures: number;
}

const fields = '/api/admin/context';
const field = `${fields}/{contextField}` as const;
export const getContextFields = read<readonly ListedContextField[]>()('getContextFields', fields);
export const getContextField = read<ContextField>()('getContextField', field);
export const getStrategiesByContextField = read<{ readonly strategies: readonly PlacedStrategy[] }>()(
  'getStrategiesByContextField',
  `${field}/strategies`,
);
export const createContextField = change<unknown, ContextFieldInput>()('createContextField', 'POST', fields);
export const updateContextField = change<unknown, ContextFieldUpdate>()('updateContextField', 'PUT', field);
export const deleteContextField = change()('deleteContextField', 'DELETE', field);
