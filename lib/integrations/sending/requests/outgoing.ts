import type { Event } from '../../../events/event-schema.ts';
import { isJsonObject, parseJson } from '../../../values/json.ts';
import type { Addon } from '../../addon-schema.ts';
import type { Answer, Consequence } from '../answer.ts';

/** A POST request to a receiver. */
export interface Outgoing {
  /** A part of the receiver, such as a channel. Each gets one request, which is not repeated after a success. */
  readonly target: string;
  readonly url: string;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** True if the secrets of the integration sign it. */
  readonly isSigned?: true;
  /** True if the AWS identity of this service signs it. */
  readonly isOfAws?: true;
}

/** The requests for an event, with their details in the log of the integration. */
export interface PreparedDelivery {
  readonly requests: readonly Outgoing[];
  readonly details: Readonly<Record<string, unknown>>;
  /** Problems that do not prevent the delivery. */
  readonly flaws: readonly string[];
  readonly consequenceOf: (answer: Answer, at: number) => Consequence;
}

/** The circumstances of a delivery. */
export interface Circumstances {
  /** The address of this service, for links. */
  readonly publicUrl: string | undefined;
  /** The group of an event without a change request: the id of the first event of the same change. */
  readonly groupId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An event that can never be sent with the current settings of an integration. The log shows the message. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
}

/** Builds the requests of a provider. @throws Unsendable for an event that can never be sent. */
export type BuildDelivery = (addon: Addon, event: Event, circumstances: Circumstances) => PreparedDelivery;

/** Returns a parameter of an integration; empty if it is not set. */
export function parameter({ parameters }: Addon, name: string): string {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
}

/** Returns a parameter of an integration. @throws Unsendable if it is not set. */
export function requireParameter(addon: Addon, name: string): string {
  const value = parameter(addon, name);
  if (value === '') throw new Unsendable(`The parameter "${name}" is missing.`);
  return value;
}

/** Headers of the connection, and those that identify and sign a message. */
const reserved =
  /^(host|content-length|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|webhook-.*)$/i;
/** The characters of a header (RFC 9110, sections 5.1 and 5.5). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes control characters.
const headerValue = /^[^\u0000-\u0008\u000a-\u001f\u007f\u0100-\uffff]*$/;
const headersLengthMax = 8 * 1024;

/** Returns the problem of a header value; undefined if there is none. */
export function findHeaderProblem(text: string): string | undefined {
  return headerValue.test(text) ? undefined : 'must be one line, without characters that HTTP headers cannot contain.';
}

/** Returns the problem of the parameter `customHeaders`; undefined if there is none. */
export function findHeadersProblem(text: string): string | undefined {
  const headers = headersIn(text);
  if (headers === undefined) return 'must be a JSON object of texts.';
  if (text.length > headersLengthMax) return `must have at most ${headersLengthMax} characters.`;
  const refused = Object.keys(headers).filter((name) => reserved.test(name));
  if (refused.length > 0) return `must not set ${refused.slice(0, 10).join(', ')}, which this service sets itself.`;
  const invalid = Object.entries(headers).filter(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  return invalid.length > 0 ? `has invalid headers: ${invalid.slice(0, 10).map(([name]) => name)}.` : undefined;
}

/** Returns the headers of the parameter `customHeaders`; undefined if it is invalid. */
export function headersIn(text: string): Record<string, string> | undefined {
  const headers = parseJson(text);
  return isJsonObject(headers) && Object.values(headers).every((value) => typeof value === 'string')
    ? (headers as Record<string, string>)
    : undefined;
}

/** Merges the headers of a provider with those of the integration, which take precedence. */
export function mergeHeaders(
  addon: Addon,
  defaults: Readonly<Record<string, string>>,
): { readonly headers: Record<string, string>; readonly flaws: readonly string[] } {
  const text = parameter(addon, 'customHeaders');
  const custom = text === '' ? {} : headersIn(text);
  const sendable = Object.entries(custom ?? {}).filter(
    ([name, value]) => !reserved.test(name) && headerName.test(name) && headerValue.test(value),
  );
  const headers = { ...defaults };
  for (const [name, value] of sendable) headers[name.toLowerCase()] = value;
  const areAllSendable = custom !== undefined && sendable.length === Object.keys(custom).length;
  return { headers, flaws: areAllSendable ? [] : ['Some of the extra HTTP headers could not be sent.'] };
}

/** Cuts a text to a number of characters, never within a character. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns an address as logs may show it, since paths and queries can be secrets. */
export function maskUrl(url: string): string {
  return `${URL.parse(url)?.origin ?? ''}/…`;
}
