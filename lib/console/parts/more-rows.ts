import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { here } from '../shell/router.ts';

/** Rows that a list shows at first, and adds each time its end comes near: drawing a thousand at once takes too long. */
const step = 20;

/** Counts the rows of a long list to draw; other filters in the address begin anew. @returns the count, and a ref for an element behind the last row. */
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
