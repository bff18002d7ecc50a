import { signal } from '@preact/signals';
import { browserStorage } from '../browser/browser-storage.ts';

export type Theme = 'light' | 'dark';

const key = 'theme';
const root = document.documentElement;

/** The theme that the person has chosen; null for that of the system. */
export const chosenTheme = signal(browserStorage.get(key) as Theme | null);

function show(): void {
  if (chosenTheme.value === null) delete root.dataset.theme;
  else root.dataset.theme = chosenTheme.value;
}

/** Shows the theme that was chosen in this browser before. */
export const startTheme = show;

/** Changes between light and dark, and keeps that in this browser. */
export function toggleTheme(): void {
  const isDark =
    chosenTheme.value === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosenTheme.value === 'dark';
  chooseTheme(isDark ? 'light' : 'dark');
}

/** Shows a theme from now on, and keeps that in this browser; null for that of the system. */
export function chooseTheme(theme: Theme | null): void {
  chosenTheme.value = theme;
  if (theme === null) browserStorage.remove(key);
  else browserStorage.set(key, theme);
  show();
}
