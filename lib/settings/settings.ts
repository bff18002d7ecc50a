import { isDeepStrictEqual } from 'node:util';
import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { noEffects } from '../entity/effects.ts';
import { entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';

/** A setting of the whole service. */
interface Setting {
  readonly id: string;
  readonly content: object;
}

const settings = entity<Setting, string>({
  kind: 'setting',
  idOf: ({ id }) => id,
  partition: { pk: 'SETTINGS' },
  codec: codec<Setting>({ content: true }),
  ofKey: ({ sk }) => ({ id: sk }),
  events: { created: 'setting-created', updated: 'setting-updated' },
  // More people may read events than settings.
  eventData: ({ id }) => ({ id, hideEventDetails: true }),
});

/** Returns the key of a setting, for conditions. */
export const settingKey = settings.keyOf;

/** Loads a setting; undefined if it was never stored. */
export async function loadSetting<T extends object>(request: Request, id: string): Promise<T | undefined> {
  return (await settings.find(request, id))?.value.content as T | undefined;
}

/** Loads a setting with its version. */
export async function findSetting<T extends object>(request: Request, id: string): Promise<Versioned<T> | undefined> {
  const setting = await settings.find(request, id);
  return setting && { value: setting.value.content as T, version: setting.version };
}

/** The version of a setting that was never stored; stored ones have higher versions. */
const neverStored = 1;

/**
 * Loads a setting with the version that a change of it expects.
 * @param otherwise the default.
 */
export async function readSetting<T extends object>(request: Request, id: string, otherwise: T): Promise<Versioned<T>> {
  return (await findSetting<T>(request, id)) ?? { value: otherwise, version: neverStored };
}

/** The contents of settings by their ids. */
export type SettingContents = ReadonlyMap<string, Versioned<object>>;

/** Parts of a change that few settings need. */
interface SettingOptions {
  /** The ids of other settings that the change depends on: it is stored only if they are unchanged. */
  readonly ids?: readonly string[];
  /** @throws ApiError if those settings do not allow the change. */
  readonly assert?: (contents: SettingContents) => void;
  /** Further writes of the same transaction. */
  readonly extraWrites?: readonly Write[];
  /** The type of the event, if Unleash has one for this setting. Its event has the content. */
  readonly event?: EventType;
}

/**
 * Stores a setting, unless it is the same already.
 * @throws ApiError what `assert` throws; 412 if `If-Match` does not match.
 */
export async function saveSetting(
  request: Request,
  actor: Actor,
  id: string,
  content: object,
  options?: SettingOptions,
): Promise<Versioned<void>> {
  const saved = await updateSetting(request, actor, id, () => content, options);
  return { ...saved, value: undefined };
}

/**
 * Changes a setting as `saveSetting` does, but keeps what another writer changes at the same time.
 * @param edit returns the new content; its parameter is undefined if the setting was never stored.
 */
export function updateSetting<T extends object>(
  request: Request,
  actor: Actor,
  id: string,
  edit: (before: T | undefined) => T,
  { ids = [], assert, extraWrites = [], event }: SettingOptions = {},
): Promise<Versioned<T>> {
  return change(request, actor, {
    items: [settings.keyOf(id)],
    read: () => settings.findSomeVersioned(request, [id, ...ids]),
    revisionOf: (before) => before.get(id) ?? { version: neverStored },
    decide: (before, at) => {
      const stored = before.get(id);
      const content = edit(stored?.value.content as T | undefined);
      const setting = { id, content };
      if (stored !== undefined && isDeepStrictEqual(stored.value.content, content)) {
        return { ...noEffects, result: { ...sameVersion(stored), value: content } };
      }
      assert?.(new Map([...before].map(([key, { value, version }]) => [key, { value: value.content, version }])));
      const { writes, events, version } =
        stored === undefined
          ? settings.buildCreationEffects(setting, at, 'retry')
          : { ...settings.buildUpdateEffects(stored, setting), version: stored.version + 1 };
      const unchanged = ids.map((dependency): Write => {
        const version = before.get(dependency)?.version;
        return { check: settings.keyOf(dependency), when: version === undefined ? 'absent' : { version } };
      });
      return {
        writes: [...unchanged, ...writes, ...extraWrites],
        events: event === undefined ? events : [buildEvent(event, content, stored?.value.content)],
        result: { value: content, version },
      };
    },
  });
}

function buildEvent(type: EventType, content: object, before: object | undefined): NewEvent {
  return { type, data: { ...content }, ...(before && { preData: { ...before } }) };
}
