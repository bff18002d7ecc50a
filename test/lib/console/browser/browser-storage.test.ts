import { beforeEach, describe, expect, test, vi } from 'vitest';
import { browserStorage, tabStorage } from '../../../../lib/console/browser/browser-storage.ts';

const refuse = () => {
  throw new Error('denied');
};

beforeEach(() => {
  tabStorage.clear();
  vi.unstubAllGlobals();
});

describe('A text of the console', () => {
  test('is kept by the browser', () => {
    const kept = new Map<string, string>();
    const getItem = (key: string) => kept.get(key) ?? null;
    vi.stubGlobal('localStorage', { getItem, setItem: (key: string, text: string) => kept.set(key, text) });
    browserStorage.set('theme', 'dark');
    expect([...kept]).toEqual([['theme', 'dark']]);
    expect(browserStorage.get('theme')).toBe('dark');
  });

  test('lasts as long as the page where the browser refuses to keep it', () => {
    vi.stubGlobal('sessionStorage', undefined);
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: refuse });
    tabStorage.set('draft', '{}');
    expect(tabStorage.get('draft')).toBe('{}');
    tabStorage.remove('draft');
    expect(tabStorage.get('draft')).toBeNull();
  });

  test('that no longer fits is read instead of the one before', () => {
    vi.stubGlobal('sessionStorage', { getItem: () => 'before', setItem: refuse, clear: () => {} });
    tabStorage.set('draft', 'after');
    expect(tabStorage.get('draft')).toBe('after');
  });
});
