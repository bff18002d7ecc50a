/** Texts that a browser keeps by their keys. */
interface TextStorage {
  readonly get: (key: string) => string | null;
  readonly set: (key: string, text: string) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

/**
 * Opens a storage of the browser. If the browser refuses it, as some do without cookies, or if it is full, texts stay in memory until the
 * page is left.
 */
function openStorage(find: () => Storage): TextStorage {
  const memory = new Map<string, string>();
  function attempt<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(find());
    } catch {
      return undefined;
    }
  }
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set: (key, text) => {
      memory.set(key, text);
      attempt((storage) => {
        storage.setItem(key, text);
        memory.delete(key);
      });
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    clear: () => {
      memory.clear();
      attempt((storage) => storage.clear());
    },
  };
}

/** The choices of a browser, such as its theme. They belong to its screen and keyboard, so they outlast a session. */
export const browserStorage: TextStorage = openStorage(() => localStorage);

/** The work of a person in a tab, such as drafts, until they sign out or close the tab. */
export const tabStorage: TextStorage = openStorage(() => sessionStorage);
