import { signal } from '@preact/signals';

type Theme = 'light' | 'dark';

const key = 'theme';
const root = document.documentElement;

/** The theme that the person has chosen; undefined for that of the system. */
const chosen = signal(localStorage.getItem(key) as Theme | null);

function show(): void {
  if (chosen.value === null) delete root.dataset.theme;
  else root.dataset.theme = chosen.value;
}

/** Shows the theme that was chosen in this browser before. */
export const startTheme = show;

/** Changes between light and dark, and keeps that in this browser. */
export function toggleTheme(): void {
  const isDark = chosen.value === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen.value === 'dark';
  chosen.value = isDark ? 'light' : 'dark';
  localStorage.setItem(key, chosen.value);
  show();
}
