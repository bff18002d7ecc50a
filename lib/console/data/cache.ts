import { type Signal, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ApiAddress } from './address.ts';
import { Refusal, sendRequest, signedOut } from './client.ts';

/** The answer of an address of the API, as far as the page has it. */
export interface CacheEntry<T> {
  readonly value: T | undefined;
  readonly etag: string | undefined;
  /** The failure of the last attempt; undefined after a success. */
  readonly problem: Refusal | undefined;
}

interface Cached {
  readonly entry: Signal<CacheEntry<unknown>>;
  /** Time of the last success, in milliseconds since 1970; 0 if it is to be read again. */
  readAt: number;
  reading: Promise<void> | undefined;
  /** Counts the changes of the page, so that an answer from before a change does not replace it. */
  changes: number;
}

const cached = new Map<string, Cached>();

/** Age up to which a value is shown without reading it again. */
const freshMs = 5_000;

/** Age at which a visible page reads a value again. */
const refreshMs = 15_000;

function findCached(path: string): Cached {
  let found = cached.get(path);
  if (found === undefined) {
    found = {
      entry: signal({ value: undefined, etag: undefined, problem: undefined }),
      readAt: 0,
      reading: undefined,
      changes: 0,
    };
    cached.set(path, found);
  }
  return found;
}

/** Reads an address unless its value is fresh or being read. */
export function loadAddress(path: string, maxAgeMs = freshMs): Promise<void> {
  const item = findCached(path);
  if (item.reading !== undefined) return item.reading;
  if (Date.now() - item.readAt < maxAgeMs) return Promise.resolve();
  item.reading = read(path, item).finally(() => {
    item.reading = undefined;
  });
  return item.reading;
}

async function read(path: string, item: Cached): Promise<void> {
  const { etag } = item.entry.peek();
  const { changes } = item;
  try {
    const answer = await sendRequest('GET', path, { headers: etag === undefined ? {} : { 'if-none-match': etag } });
    item.readAt = Date.now();
    // The page has changed the value meanwhile, and reads it again by itself.
    if (item.changes !== changes) return;
    const isSame = answer.status === 304;
    if (isSame && item.entry.peek().problem === undefined) return;
    item.entry.value = isSame
      ? { ...item.entry.peek(), problem: undefined }
      : { value: answer.body, etag: answer.etag, problem: undefined };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    item.readAt = 0;
    // The reader may have lost the right to see it, or be somebody else by now.
    const isGone = error.status === 403 || error.status === 404;
    item.entry.value = { ...(isGone ? nothing : item.entry.peek()), problem: error };
  }
}

/** Reads an address again now; the answer of a request from before is not used. */
export async function reload(path: string): Promise<void> {
  const item = findCached(path);
  item.readAt = 0;
  item.changes += 1;
  await item.reading;
  await loadAddress(path);
}

/** Lets the addresses with a prefix be read again when a page shows them next; until then, their last answers are shown. */
export function expire(prefix: string): void {
  for (const [path, item] of cached) if (path.startsWith(prefix)) item.readAt = 0;
}

/** Returns the last answer of an address, without reading it. */
export function peek<T>(path: ApiAddress<T>): CacheEntry<T> {
  return findCached(path).entry.peek() as CacheEntry<T>;
}

/** Shows a change before the service has confirmed it. @returns a function that takes it back. */
export function patch<T>(path: ApiAddress<T>, change: (value: T) => T): () => void {
  const item = findCached(path);
  const before = item.entry.peek();
  if (before.value === undefined) return () => {};
  item.changes += 1;
  const after = { ...before, value: change(before.value as T) };
  item.entry.value = after;
  return () => {
    if (item.entry.peek() === after) item.entry.value = before;
  };
}

/** Forgets everything, when the reader changes. */
export function clearCache(): void {
  for (const item of cached.values()) {
    item.readAt = 0;
    item.changes += 1;
    item.entry.value = nothing;
  }
}

/** Returns the last answer of an address; effects run again with the next one. */
export function entryOf<T>(path: ApiAddress<T>): CacheEntry<T> {
  return findCached(path).entry.value as CacheEntry<T>;
}

/**
 * Returns the last answer of an address, and reads it: when a component begins to show it, every 15 seconds while the page is
 * visible, and when the page becomes visible again.
 * @param path undefined for nothing.
 */
export function useRead<T>(path: ApiAddress<T> | undefined, everyMs = refreshMs): CacheEntry<T> {
  // An effect of the layout runs before the browser paints: nothing waits for that to be read.
  useLayoutEffect(() => {
    if (path === undefined) return;
    const refresh = () => {
      if (document.visibilityState === 'visible' && signedOut.peek() === undefined) loadAddress(path);
    };
    loadAddress(path);
    const timer = setInterval(refresh, everyMs);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [path, everyMs]);
  return path === undefined ? nothing : (findCached(path).entry.value as CacheEntry<T>);
}

const nothing: CacheEntry<never> = { value: undefined, etag: undefined, problem: undefined };
