import type { ComponentType } from 'preact';
import { load } from './data/cache.ts';
import { getConsoleNow } from './data/operations.ts';

type Props = Readonly<Record<string, string>>;

interface Route {
  /** The address, such as `/projects/:project/features/:feature`; its names are the properties of the screen. */
  readonly pattern: string;
  /** Loads the screen, and begins to read what it shows at the same time. */
  readonly load: () => Promise<ComponentType<Props>>;
}

/** The screens by address. */
export const routes: readonly Route[] = [
  {
    pattern: '/now',
    load: async () => {
      load(getConsoleNow({}));
      return (await import('./now/now.tsx')).Now as ComponentType<Props>;
    },
  },
];
