import { isDeepStrictEqual } from 'node:util';
import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import { keys, partitions } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** What is set for the whole service, under a name. */
interface Setting {
  readonly id: string;
  readonly content: object;
}

const settings = entity<Setting, string>({
  kind: 'setting',
  idOf: ({ id }) => id,
  keyOf: keys.setting,
  partitions: [partitions.settings()],
  codec: codec<Setting>({ content: true }),
  ofKey: ({ sk }) => ({ id: sk }),
  events: { created: 'setting-created', updated: 'setting-updated' },
  // Events are for many eyes; the values of a setting are not.
  shown: ({ id }) => ({ id, hideEventDetails: true }),
});

/** The content of a setting, if it was ever stored. */
export async function loadSetting<T extends object>(table: Table, id: string): Promise<T | undefined> {
  return (await settings.find(table, id))?.value.content as T | undefined;
}

/** Stores a setting as it is given. What is stored already is left alone. */
export function saveSetting(table: Table, actor: Actor, id: string, content: object): Promise<void> {
  return change(table, actor, {
    of: [keys.setting(id)],
    read: () => settings.find(table, id),
    revisionOf: (stored) => stored,
    decide: (stored) => {
      const setting = { id, content };
      if (isDeepStrictEqual(stored?.value.content, content)) return { writes: [], events: [], result: undefined };
      return {
        ...(stored === undefined ? settings.created(setting, 'retry') : settings.updated(stored, setting)),
        result: undefined,
      };
    },
  });
}
