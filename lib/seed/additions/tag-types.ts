import { keys } from '../../table/keys.ts';
import { tagTypeItem } from '../../tags/tag-type.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing } from './missing.ts';

export function missingTagTypes(state: SeedState, data: SeedData): Addition[] {
  return missing(data.tagTypes, ({ name }) => state.tagTypes.has(name)).map(({ entry, index }) => {
    const item = tagTypeItem(entry);
    return {
      kind: 'tag type',
      name: item.name,
      path: `tagTypes.${index}`,
      writes: [{ put: keys.tagType(item.name), item: { ...item }, when: 'absent' }],
      event: { type: 'tag-type-created', data: { ...item } },
    };
  });
}
