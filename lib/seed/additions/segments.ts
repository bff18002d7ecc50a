import type { SegmentItem, SegmentNameItem } from '../../segments/segment.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing, numbers } from './missing.ts';

export function missingSegments(state: SeedState, data: SeedData, at: string): Addition[] {
  const entries = missing(data.segments, ({ name }) => state.segmentNames.has(name));
  const nextId = numbers(state, 'segment', entries);
  return entries.map(({ entry, index }) => {
    const { id = nextId(), name, project, constraints } = entry;
    const fields = { id, name, description: entry.description ?? '', project };
    const item: SegmentItem = { ...fields, createdAt: at, constraints: JSON.stringify(constraints) };
    const pointer: SegmentNameItem = { id, project };
    return {
      kind: 'segment',
      name,
      path: `segments.${index}`,
      writes: [
        { put: keys.segment(id), item: { ...item }, when: 'absent' },
        { put: keys.segmentName(name), item: { ...pointer }, when: 'absent' },
      ],
      event: { type: 'segment-created', ...(project !== null && { project }), data: { ...fields, constraints } },
      number: { counter: 'segment', value: id },
    };
  });
}
