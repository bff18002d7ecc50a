/** Requests and messages that fail on purpose, with the reasons. */
const reasons: readonly (readonly [failure: RegExp, reason: string])[] = [
  [/^GET \/api\/admin\/\S+ 401$/, 'a page without a session learns how people sign in'],
  [/^POST \/auth\/simple\/login 401$/, 'a journey signs in with a wrong password'],
  [/^PUT \S+\/strategies\/\S+ 412$/, 'a journey saves an edit of what somebody else has changed'],
  [/^POST \S+\/milestones\/\S+\/start 412$/, 'two people start the same milestone'],
  [/^PUT \S+\/change-requests\/\d+\/state 409$/, 'a journey applies a change over what somebody else has changed'],
  [/^POST \/api\/admin\/release-plan-templates 409$/, 'a journey creates a release template with a name in use'],
  [/^GET \S* net::ERR_ABORTED$/, 'a page was left before its answer came'],
  [/^GET \/auth\/reset\/validate 401$/, 'a link for a password is none'],
  [/^GET \/auth\/oidc\/callback 401$/, 'a single sign-on is refused, on a page of its own'],
  [
    /^a request leaves the service: http:\/\/127\.0\.0\.1:\d+$/,
    'somebody signs in at the identity provider of the proof',
  ],
  [/^GET \/docs\/there-is-no-such-page 404$/, 'an address of the service is none, which a page says'],
  [/^Failed to load resource: .* (401|404|409|412)/, 'the browser repeats the status of an answer'],
];

/** Returns the reason for which something may fail; undefined if it may not. */
export function expectedReasonOf(failure: string): string | undefined {
  return reasons.find(([pattern]) => pattern.test(failure))?.[1];
}
