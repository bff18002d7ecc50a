import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Rows that a list shows at first, and adds each time its end comes near: drawing a thousand at once takes too long. */
const step = 60;

/** Counts the rows of a long list to draw. @returns the count, and a ref for an element behind the last row. */
export function useMoreRows(total: number): { readonly count: number; readonly end: RefObject<HTMLDivElement | null> } {
  const [count, setCount] = useState(step);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || count >= total) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setCount((before) => before + step);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [count, total]);
  return { count, end };
}
