import type { StrategyTypeItem } from '../../strategies/strategy-type.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing } from './missing.ts';

export function missingStrategyTypes(state: SeedState, data: SeedData): Addition[] {
  return missing(data.strategies, ({ name }) => state.strategyTypes.has(name)).map(({ entry, index }) => {
    const { name, parameters, editable = true, deprecated = false } = entry;
    const fields = { name, description: entry.description ?? '', editable, deprecated };
    const item: StrategyTypeItem = { ...fields, parameters: JSON.stringify(parameters) };
    return {
      kind: 'strategy',
      name,
      path: `strategies.${index}`,
      writes: [{ put: keys.strategyType(name), item: { ...item }, when: 'absent' }],
      event: { type: 'strategy-created', data: { ...fields, parameters } },
    };
  });
}
