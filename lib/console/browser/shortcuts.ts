import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { browserStorage } from './browser-storage.ts';
import { isPaletteOpen } from './palette-state.ts';
import { go } from './router.ts';

/** Pages that `g` and a letter lead to. */
const pages: Readonly<Record<string, string>> = {
  f: '/',
  r: '/reviews',
  e: '/events',
  n: '/now',
  p: '/projects',
};

/** The milliseconds within which the second letter must follow. */
const pairMs = 900;

const key = 'letters';

/** True while the list of keys is open. */
export const areKeysShown = signal(false);

/** False if the person has switched single letters off, which some input methods send by mistake (WCAG 2.1.4). */
export const areLettersOn = signal(browserStorage.get(key) !== 'off');

/** Switches single letters on or off, and stores the choice in this browser. */
export function switchLetters(isOn: boolean): void {
  areLettersOn.value = isOn;
  browserStorage.set(key, isOn ? 'on' : 'off');
}

/** Listens to the keys that work on every page. */
export function startShortcuts(): void {
  let pressedG = 0;
  addEventListener('keydown', (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key === 'k') {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    if ((event.metaKey || event.ctrlKey) && event.key === 'Enter') {
      // The solid button is the one that sends a form.
      const area = (event.target as HTMLElement).closest('dialog') ?? document.querySelector('main');
      area?.querySelector<HTMLElement>('.dialog-actions .button:last-child, .button.solid')?.click();
      return;
    }
    if (!isLetter(event)) return;
    if (event.key === '?') {
      event.preventDefault();
      areKeysShown.value = true;
    } else if (event.key === '/') {
      const search = document.querySelector<HTMLElement>('[data-search]');
      if (search === null) return;
      event.preventDefault();
      search.focus();
    } else if (event.key === 'c' && Date.now() - pressedG >= pairMs) {
      event.preventDefault();
      go(`${/^\/projects\/[^/]+/.exec(location.pathname)?.[0] ?? '/'}?create=true`);
    } else if (event.key === 'g') {
      pressedG = Date.now();
    } else if (Date.now() - pressedG < pairMs) {
      pressedG = 0;
      const page = pages[event.key];
      if (page === undefined) return;
      // The page may give the letter a meaning of its own.
      event.preventDefault();
      go(page);
    }
  });
}

/** Tells whether a key is a shortcut rather than a part of a text. */
export function isLetter({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  const isTyping =
    element.matches('input:not([type="checkbox"]), textarea, select') || element.closest('dialog') !== null;
  return areLettersOn.value && !isTyping && !metaKey && !ctrlKey && !altKey;
}

/** Listens to a key while a component is shown. */
export function useShortcut(key: string, act: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.defaultPrevented || !isLetter(event)) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
