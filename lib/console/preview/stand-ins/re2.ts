import type { RE2JS as Engine } from 're2js';

/**
 * The engine of regular expressions, which is larger than the rest of a page: it is loaded by the first preview that has an
 * expression.
 */
export let RE2JS: typeof Engine;

/** Loads the engine; a preview with expressions waits for it. */
export async function loadExpressions(): Promise<void> {
  ({ RE2JS } = await import('re2js/whole'));
}
