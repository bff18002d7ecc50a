import type { Event } from '../../../events/event-schema.ts';
import { isJsonObject, parseJson } from '../../../values/json.ts';
import type { Addon } from '../../addons.ts';
import type { Answer, Consequence } from '../answer.ts';

/** Request to a receiver: always a POST. */
export interface Outgoing {
  /** The part of the receiver that it is for, such as a channel; one request each, and one that was taken is not repeated. */
  readonly target: string;
  readonly url: string;
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** True if the secrets of the integration sign it. */
  readonly isSigned?: true;
  /** True if this service's own identity at AWS signs it. */
  readonly isOfAws?: true;
}

/** The requests for an event, with what the log of the integration shows of them. */
export interface PreparedDelivery {
  readonly requests: readonly Outgoing[];
  readonly details: Readonly<Record<string, unknown>>;
  /** Things that are wrong, but keep nothing from being sent. */
  readonly flaws: readonly string[];
  readonly consequenceOf: (answer: Answer, at: number) => Consequence;
}

/** The circumstances of a delivery. */
export interface Circumstances {
  /** The address of this service, for links. */
  readonly publicUrl: string | undefined;
  /** The group of an event that is of no change request: the id of the first event of the same change. */
  readonly groupId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An event that can never be sent to an integration as it is set up; the message says why, in words for its log. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
}

/** Makes the requests of a provider. @throws Unsendable where an event can never be sent. */
export type Preparing = (addon: Addon, event: Event, circumstances: Circumstances) => PreparedDelivery;

/** Returns a parameter of an integration; empty where it is not set. */
export function parameter({ parameters }: Addon, name: string): string {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
}

/** @throws Unsendable where it is not set. */
export function requireParameter(addon: Addon, name: string): string {
  const value = parameter(addon, name);
  if (value === '') throw new Unsendable(`The parameter "${name}" is missing.`);
  return value;
}

/** Headers that belong to the connection, or by which a receiver recognizes a message. */
const reserved =
  /^(host|content-length|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|webhook-.*)$/i;
/** The characters of a header (RFC 9110, sections 5.1 and 5.5). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const headerValue = /^[^\u0000-\u0008\u000a-\u001f\u007f\u0100-\uffff]*$/;
const headersLengthMax = 8 * 1024;

/** Returns the mistake in a text that is to be the value of a header; undefined where there is none. */
export function headerProblem(text: string): string | undefined {
  return headerValue.test(text) ? undefined : 'must be of one line, without characters that HTTP headers do not take.';
}

/** Returns the mistake in a text for the parameter `customHeaders`; undefined where there is none. */
export function headersProblem(text: string): string | undefined {
  const headers = headersIn(text);
  if (headers === undefined) return 'must be a JSON object of texts.';
  if (text.length > headersLengthMax) return `must have at most ${headersLengthMax} characters.`;
  const refused = Object.keys(headers).filter((name) => reserved.test(name));
  if (refused.length > 0) return `must leave ${refused.slice(0, 10).join(', ')} to this service.`;
  const bad = Object.entries(headers).filter(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  return bad.length > 0 ? `has headers that HTTP does not take: ${bad.slice(0, 10).map(([name]) => name)}.` : undefined;
}

/** Returns the headers in the parameter `customHeaders`; undefined where they are none. */
export function headersIn(text: string): Record<string, string> | undefined {
  const headers = parseJson(text);
  return isJsonObject(headers) && Object.values(headers).every((value) => typeof value === 'string')
    ? (headers as Record<string, string>)
    : undefined;
}

/** Merges headers of a provider with those of the integration, which replace them. */
export function mergeHeaders(
  addon: Addon,
  own: Readonly<Record<string, string>>,
): { readonly headers: Record<string, string>; readonly flaws: readonly string[] } {
  const text = parameter(addon, 'customHeaders');
  const custom = text === '' ? {} : headersIn(text);
  const sendable = Object.entries(custom ?? {}).filter(
    ([name, value]) => !reserved.test(name) && headerName.test(name) && headerValue.test(value),
  );
  const headers = { ...own };
  for (const [name, value] of sendable) headers[name.toLowerCase()] = value;
  const isWhole = custom !== undefined && sendable.length === Object.keys(custom).length;
  return { headers, flaws: isWhole ? [] : ['Some of the extra HTTP headers could not be sent.'] };
}

/** Cuts a text to a number of characters, never in the middle of one. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** An address as logs may show it: paths and queries can be secrets. */
export function maskUrl(url: string): string {
  return `${URL.parse(url)?.origin ?? ''}/…`;
}
