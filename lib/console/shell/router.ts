import { signal } from '@preact/signals';

/** The address of the page below its host, with its query. */
export const here = signal(location.pathname + location.search);

/** Tells whether the page may be left, such as while a form has edits; it may ask the person. */
export const mayLeave = { ask: () => true };

/** Opens a page of the console. */
export function go(to: string, { replace = false } = {}): void {
  if (!mayLeave.ask()) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  here.value = location.pathname + location.search;
  if (!replace) scrollTo(0, 0);
}

/** Replaces the query of the page without a new entry in the history. */
export function setQuery(query: Readonly<Record<string, string | undefined>>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  go(location.pathname + (search.size === 0 ? '' : `?${search}`), { replace: true });
}

/** Follows links within the console without loading the page again, and the browser's back and forward. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    if (!mayLeave.ask()) {
      // The browser has left already: it comes back.
      history.pushState(null, '', here.value);
      return;
    }
    here.value = location.pathname + location.search;
  });
  addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest('a');
    if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
    // The service itself answers these.
    if (/^\/(api|auth|docs|logout|health|ready)(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
