/** Requests that fail on purpose, with the reasons. */
const reasons: readonly (readonly [what: RegExp, reason: string])[] = [
  [
    /^sign (in|out|up)[^:]*: GET \/api\/admin\/(user|ui-config) 401$/,
    'the console asks who it is for, and learns how people sign in',
  ],
  [
    /^sign up by the invitation: POST \/auth\/reset\/validate-password 400$/,
    'the form asks about each password as it is typed',
  ],
  [
    /GET \/api\/admin\/user-admin\/-1337 400$/,
    'the page asks who made the first release template; it was the service, which is no user',
  ],
  [/GET \/\S* net::ERR_ABORTED$/, 'what a page asked for that was left before the answer'],
];

/** Returns the reason for which a request may fail; undefined if it may not. */
export function reasonOf(what: string): string | undefined {
  return reasons.find(([pattern]) => pattern.test(what))?.[1];
}
