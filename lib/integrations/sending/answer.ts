import { parseJson } from '../../values/json.ts';

/** The answer of a receiver, or the reason of its absence. */
export type Answer =
  | {
      readonly status: number;
      /** The header `Retry-After`. */
      readonly retryAfter?: string | undefined;
      /** The beginning of the body. */
      readonly text: string;
    }
  /** No connection, a lost connection, or no answer within the time. */
  | { readonly lost: string; readonly timedOut?: true }
  /** The address is not allowed. */
  | { readonly forbidden: string };

/** The consequence of an answer. */
export type Consequence =
  | { readonly kind: 'taken' }
  /** Another attempt may succeed: `soon` means within a moment. `afterMs` is the pause that the receiver asks for. */
  | { readonly kind: 'retry'; readonly reason: string; readonly soon?: boolean; readonly afterMs?: number }
  /** The receiver will never accept this request. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The receiver will accept nothing until somebody corrects the integration. */
  | { readonly kind: 'paused'; readonly reason: string };

/** Statuses that refuse this body. */
const bodyStatuses = [400, 413, 414, 415, 422, 431];
/** Statuses of proxies before the receiver. */
const proxyStatuses = [502, 503, 504];
const gone = 410;
const reasonLengthMax = 256;

/** Classifies an answer by its status. */
export function consequenceOf(answer: Answer, at: number): Consequence {
  if ('forbidden' in answer) return { kind: 'refused', reason: answer.forbidden };
  if ('lost' in answer) return { kind: 'retry', reason: answer.lost, soon: answer.timedOut !== true };
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const reason = withText(`status code ${status}`, answer.text);
  if (bodyStatuses.includes(status)) return { kind: 'refused', reason };
  if (status === gone) return { kind: 'paused', reason };
  const afterMs = millisecondsOf(retryAfter, at);
  return { kind: 'retry', reason, soon: proxyStatuses.includes(status) && afterMs === 0, afterMs };
}

/** Slack's errors about a token, which apply to every channel. */
const slackTokenErrors = [
  'account_inactive',
  'access_denied',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
];
/** Slack's temporary errors. */
const temporarySlackErrors = [
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
];

/** Classifies an answer of Slack's Web API, which refuses most requests with status 200. */
export function slackConsequence(answer: Answer, at: number): Consequence {
  const consequence = consequenceOf(answer, at);
  if (consequence.kind !== 'taken' || !('status' in answer)) return consequence;
  const { ok, error = 'no reason' } = Object(parseJson(answer.text)) as {
    readonly ok?: unknown;
    readonly error?: unknown;
  };
  if (ok === true) return consequence;
  const reason = `Slack: ${String(error).slice(0, reasonLengthMax)}`;
  if (slackTokenErrors.includes(String(error))) return { kind: 'paused', reason };
  return temporarySlackErrors.includes(String(error)) || ok === undefined
    ? { kind: 'retry', reason, afterMs: millisecondsOf(answer.retryAfter, at) }
    : { kind: 'refused', reason };
}

/** Errors of EventBridge that are temporary, or that somebody can correct at AWS. */
const temporaryEventBridgeErrors =
  /Throttl|Internal|Unavailable|AccessDenied|NotAuthorized|ExpiredToken|UnrecognizedClient|NotFound/i;

/** Classifies an answer of EventBridge, which refuses an entry with status 200. */
export function eventBridgeConsequence(answer: Answer, at: number): Consequence {
  const consequence = consequenceOf(answer, at);
  if (!('status' in answer) || (consequence.kind !== 'taken' && consequence.kind !== 'refused')) return consequence;
  const body = Object(parseJson(answer.text)) as {
    readonly __type?: string;
    readonly Entries?: readonly { readonly ErrorCode?: string; readonly ErrorMessage?: string }[];
  };
  const { ErrorCode: code = body.__type, ErrorMessage: message = '' } = body.Entries?.[0] ?? {};
  if (code === undefined) return consequence;
  const reason = withText(`EventBridge: ${String(code)}`, String(message));
  return temporaryEventBridgeErrors.test(String(code)) ? { kind: 'retry', reason } : { kind: 'refused', reason };
}

function withText(reason: string, text: string): string {
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  return (shown === '' ? reason : `${reason}: ${shown}`).slice(0, reasonLengthMax);
}

/** Returns the pause of `Retry-After` in milliseconds (RFC 9110, section 10.2.3); 0 without it. */
function millisecondsOf(retryAfter: string | undefined, at: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - at;
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}
