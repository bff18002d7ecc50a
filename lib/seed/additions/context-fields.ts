import { contextFieldItem } from '../../context-fields/context-field.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing } from './missing.ts';

export function missingContextFields(state: SeedState, data: SeedData, at: string): Addition[] {
  return missing(data.contextFields, ({ name }) => state.contextFields.has(name)).map(({ entry, index }) => {
    const item = contextFieldItem(entry, at);
    const { name, description, stickiness, sortOrder } = item;
    return {
      kind: 'context field',
      name,
      path: `contextFields.${index}`,
      writes: [{ put: keys.contextField(name), item: { ...item }, when: 'absent' }],
      event: {
        type: 'context-field-created',
        data: { name, description, stickiness, sortOrder, legalValues: entry.legalValues ?? [] },
      },
    };
  });
}
