import type { ConsoleKind } from './console.ts';

/** The page runs and loads nothing but its own files, and writes no HTML from text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Our own console. Its build writes the page as it is served. */
export const flagstaffConsole: ConsoleKind = {
  completePage: (html) => ({ html, policy }),
};
