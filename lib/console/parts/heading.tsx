import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { here } from '../browser/router.ts';

/** The heading of a page, which also names the tab. It takes the focus when the page opens, so that screen readers announce the page. */
export function Heading({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLHeadingElement>(null);
  const page = here.value.split('?')[0];
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) ref.current?.focus();
  }, [page]);
  useEffect(() => {
    document.title = `${title} – Flagstaff`;
  }, [title]);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}
