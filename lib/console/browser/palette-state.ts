import { signal } from '@preact/signals';

/** True while the list to find a flag is open. */
export const isPaletteOpen = signal(false);
