import { isDeepStrictEqual } from 'node:util';
import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { noEffects } from '../entity/step.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';

/** Setting of the whole service, under an id. */
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
  // Events are for many eyes; the values of a setting are not.
  shown: ({ id }) => ({ id, hideEventDetails: true }),
});

/** Returns the key of a setting, for the condition that it is as it was read. */
export const settingKey = settings.keyOf;

/** Reads the content of a setting, if it was ever stored. */
export async function loadSetting<T extends object>(request: Request, id: string): Promise<T | undefined> {
  return (await settings.find(request, id))?.value.content as T | undefined;
}

/** Reads a setting as `loadSetting` does, with its version. */
export async function findSetting<T extends object>(request: Request, id: string): Promise<Versioned<T> | undefined> {
  const found = await settings.find(request, id);
  return found && { value: found.value.content as T, version: found.version };
}

/** The version of a setting that was never stored; those that are have higher ones. */
const neverStored = 1;

/**
 * Reads the content of a setting, with the version that a change of it expects.
 * @param otherwise default where it was never stored.
 */
export async function readSetting<T extends object>(request: Request, id: string, otherwise: T): Promise<Versioned<T>> {
  return (await findSetting<T>(request, id)) ?? { value: otherwise, version: neverStored };
}

/** The contents of settings by their ids. */
export type SettingContents = ReadonlyMap<string, Versioned<object>>;

/** Other settings on which a change rests: it is stored only while they are unchanged. */
interface Basis {
  readonly ids: readonly string[];
  /** @throws ApiError where they do not allow the change. */
  readonly assert: (found: SettingContents) => void;
}

/**
 * Stores a setting as it is given. What is stored already is left alone.
 * @param besides further writes of the same transaction.
 * @throws ApiError what the basis throws; 412 by `If-Match`.
 */
export function saveSetting(
  request: Request,
  actor: Actor,
  id: string,
  content: object,
  basis?: Basis,
  besides: readonly Write[] = [],
): Promise<Versioned<void>> {
  const { ids = [], assert } = basis ?? {};
  return change(request, actor, {
    of: [settings.keyOf(id)],
    read: () => settings.someVersioned(request, [id, ...ids]),
    revisionOf: (found) => found.get(id) ?? { version: neverStored },
    decide: (found, at) => {
      const [setting, stored] = [{ id, content }, found.get(id)];
      if (stored !== undefined && isDeepStrictEqual(stored.value.content, content)) {
        return { ...noEffects, result: sameVersion(stored) };
      }
      assert?.(new Map([...found].map(([each, { value, version }]) => [each, { value: value.content, version }])));
      const { writes, events, version } =
        stored === undefined
          ? settings.created(setting, at, 'retry')
          : { ...settings.updated(stored, setting), version: stored.version + 1 };
      const unchanged = ids.map((each): Write => {
        const version = found.get(each)?.version;
        return { check: settings.keyOf(each), when: version === undefined ? 'absent' : { version } };
      });
      return { writes: [...unchanged, ...writes, ...besides], events, result: { value: undefined, version } };
    },
  });
}
