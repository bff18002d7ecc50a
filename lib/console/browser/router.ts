import { signal } from '@preact/signals';
import { findNewAddress } from './earlier-addresses.ts';

/** The address of the page below its host, with its query. */
export const here = signal(location.pathname + location.search);

/** The name of a part of the page, behind the `#` of the address. */
export const fragment = signal(location.hash.slice(1));

function followAddress(): void {
  const better = findNewAddress(location.pathname);
  if (better !== undefined) history.replaceState(null, '', better);
  here.value = location.pathname + location.search;
  fragment.value = location.hash.slice(1);
}

/** The questions to ask before the page is left, by the forms with edits. */
export const leaveQuestions = new Map<object, string>();

/** Asks whether the page may be left, if a form has edits. */
export const mayLeave = () => [...new Set(leaveQuestions.values())].every((question) => confirm(question));

/** Opens a page of the console. */
export function go(to: string, { replace = false } = {}): void {
  if (!mayLeave()) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  followAddress();
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
  followAddress();
  addEventListener('popstate', () => {
    // The browser has changed the address already.
    if (mayLeave()) followAddress();
    else history.pushState(null, '', here.value);
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
    // The service itself answers these paths.
    if (/^\/(api|auth|docs|logout|health|ready)(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    if (jumpWithin(link)) return;
    // A path that begins with two slashes would be the address of another host.
    go(link.pathname.replace(/^\/{2,}/, '/') + link.search + link.hash);
  });
}

/** Moves to an element of this page, such as its content behind the navigation. @returns false if the link leads elsewhere. */
function jumpWithin({ pathname, search, hash }: HTMLAnchorElement): boolean {
  if (pathname !== location.pathname || search !== location.search) return false;
  const element = hash === '' ? null : document.getElementById(hash.slice(1));
  element?.focus();
  element?.scrollIntoView();
  return element !== null;
}
