import { randomBytes } from 'node:crypto';
import { sha256 } from '../../values/sha256.ts';

/**
 * The tokens of SDKs: those on servers, whose tokens are secrets, and those in pages and apps, whose tokens are public.
 */
export type SdkTokenKind = 'client' | 'frontend';

/** An admin token acts as nobody in particular; a personal access token acts as its user. */
export type TokenKind = 'admin' | 'user' | SdkTokenKind;

/** Scope of an SDK's token: the data that it may read. */
export interface TokenScope {
  /** Ids of projects, or `*` alone for all. */
  readonly projects: readonly string[];
  readonly environment: string;
}

/** Placeholder for all projects. */
export const allProjects = '*';
/** Placeholder for the project in a token of several projects, which the store lists. */
const severalProjects = '[]';

/** Length limit: longer than any secret, and short enough that nobody can make the service hash megabytes. */
const secretLengthMax = 512;

const name = "[A-Za-z0-9_.!~*'()-]{1,100}";

/** Formats of tokens; only the store knows the kind of SDK that a token is for. */
const forms = {
  admin: /^\*:\*\../,
  user: /^user:./,
  sdk: new RegExp(`^(?:\\[\\]|${name}):${name}\\..`),
  /** Token of an SDK as Unleash created it up to release 4.2: random bytes alone. */
  bare: /^[0-9a-f]{40,128}$/,
} as const;

/** Makes a secret with 224 random bits, in Unleash's format for its kind and scope. */
export function newSecret(of: 'admin' | 'user' | TokenScope): string {
  return secretOf(of, randomBytes(randomLength));
}

/** Number of random bytes in a secret. */
const randomLength = 28;

/** Makes the secret of these random bytes, of which it takes as many as a new one has. */
export function secretOf(of: 'admin' | 'user' | TokenScope, random: Buffer): string {
  return prefixOf(of) + random.toString('hex', 0, randomLength);
}

function prefixOf(of: 'admin' | 'user' | TokenScope): string {
  if (of === 'admin') return '*:*.';
  if (of === 'user') return 'user:';
  const [project = severalProjects, ...others] = of.projects;
  return `${others.length > 0 ? severalProjects : project}:${of.environment}.`;
}

/** Returns the format that a text has as a token; the store is not asked about a text of no format. */
export function formOf(secret: string): keyof typeof forms | undefined {
  if (secret.length > secretLengthMax || !/^[\x21-\x7e]+$/.test(secret)) return undefined;
  return (Object.keys(forms) as (keyof typeof forms)[]).find((form) => forms[form].test(secret));
}

/** Placeholder for the hidden part of a secret. */
const hidden = '***';

/** Placeholder in a token that people may copy, so that a paste shows that it is none. */
const masked = `${hidden}masked-since-shown-once${hidden}`;

/**
 * Returns the mask that lists show for a token whose secret is kept nowhere: its scope, the beginning of its secret,
 * and its id. It is no secret; in a path it can name the token like its secret or its id.
 */
export function maskedSecret(of: 'admin' | TokenScope, beginning: string, id: string): string {
  return `${prefixOf(of)}${beginning}${masked}${id}`;
}

/** Returns the id in a text that is one, or that a list has shown in place of a secret. */
export function idIn(text: string): string | undefined {
  return /^(?:.*\*{3})?([0-9a-f]{16})$/.exec(text)?.[1];
}

/** Tells whether a text has the format of an admin token. */
export function isAdminSecret(text: string): boolean {
  return formOf(text) === 'admin';
}

/** Tells whether a text has a format of SDK tokens, even one that does not state its scope. */
export function couldBeOfSdk(text: string): boolean {
  const form = formOf(text);
  return form === 'sdk' || form === 'bare';
}

/** Tells whether a text has the format of an SDK token that states its scope; a token of several projects does not. */
export function isSdkSecret(text: string): boolean {
  return formOf(text) === 'sdk' && !text.startsWith(severalProjects);
}

const invitationSecret = /^[0-9a-f]{32}$/;

/** Hides everything in a path that could be a token, for people and logs. An escaped slash separates its parts, too. */
export function withoutTokens(path: string): string {
  return path
    .split(/(\/|%2f)/i)
    .map((part) => (formOf(decoded(part)) === undefined && !invitationSecret.test(part) ? part : hidden))
    .join('');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the part of a secret that may be shown: so little that the rest is infeasible to guess. */
export function beginningOf(secret: string): string {
  const random = secret.slice(secret.lastIndexOf('.') + 1);
  return random.slice(0, Math.min(8, Math.floor(random.length / 8)));
}

/**
 * Returns the hash under which a secret is stored. A secret has too many random bits to be guessed, so a plain hash
 * protects it.
 */
export function hashOf(secret: string): string {
  return sha256(secret);
}

/**
 * Returns the scope that the text of a token states. As the names of environments may contain dots, and so may the
 * secret, the longest existing name counts.
 */
export function scopeIn(secret: string, environments: readonly { readonly name: string }[]): Partial<TokenScope> {
  if (formOf(secret) !== 'sdk') return {};
  const colon = secret.indexOf(':');
  const [project, rest] = [secret.slice(0, colon), secret.slice(colon + 1)];
  const [known] = environments
    .map(({ name }) => name)
    .filter((name) => rest.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length);
  const environment = known ?? rest.slice(0, rest.indexOf('.'));
  return { environment, ...(project !== severalProjects && { projects: [project] }) };
}

/** Returns the secret in an `Authorization` header: the token alone, or after `Bearer`. */
export function secretIn(header: string | undefined): string | undefined {
  return header?.trim().replace(/^Bearer +/i, '');
}
