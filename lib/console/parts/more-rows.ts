import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { here } from '../browser/router.ts';

/** The rows that a list draws at first, and adds each time its end comes near. Drawing a thousand at once takes too long. */
const step = 20;

/**
 * Draws a long list step by step. It starts again when the address changes, such as by a filter.
 * @returns the number of rows to draw, and a ref for an element behind the last row.
 */
export function useMoreRows(total: number): { readonly count: number; readonly end: RefObject<HTMLDivElement | null> } {
  const address = here.value;
  const [grown, setGrown] = useState({ address, count: step });
  const count = grown.address === address ? grown.count : step;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || count >= total) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setGrown({ address, count: count + step });
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [address, count, total]);
  return { count, end };
}
