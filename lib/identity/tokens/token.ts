import { randomBytes } from 'node:crypto';
import { sha256 } from '../../values/sha256.ts';

/** SDKs on servers have client tokens, which are secret. SDKs in pages and apps have frontend tokens, which are public. */
export type SdkTokenKind = 'client' | 'frontend';

/**
 * A personal access token acts as its user. That of an agent may only propose changes. It has a kind of its own, so that a release
 * that does not know agents refuses it.
 */
export type PersonalTokenKind = 'user' | 'agent';

/** An admin token acts as no user. */
export type TokenKind = 'admin' | PersonalTokenKind | SdkTokenKind;

export function isPersonal(kind: string): kind is PersonalTokenKind {
  return kind === 'user' || kind === 'agent';
}

/** The data that an SDK's token may read. */
export interface TokenScope {
  /** Ids of projects, or `*` alone for all. */
  readonly projects: readonly string[];
  readonly environment: string;
}

/** Stands for all projects. */
export const allProjects = '*';
/** Stands for the project in a token of several projects; the store lists these. */
const severalProjects = '[]';

/** Longer than any secret, and short enough that nobody can make the service hash megabytes. */
const secretLengthMax = 512;

const name = "[A-Za-z0-9_.!~*'()-]{1,100}";

/** Formats of tokens. Client and frontend tokens look the same; only the store tells them apart. */
const forms = {
  admin: /^\*:\*\../,
  user: /^user:./,
  sdk: new RegExp(`^(?:\\[\\]|${name}):${name}\\..`),
  /** An SDK token of Unleash up to 4.2 is random bytes alone. */
  bare: /^[0-9a-f]{40,128}$/,
} as const;

/** Makes a secret with 224 random bits, in Unleash's format for its kind and scope. */
export function makeSecret(scope: 'admin' | PersonalTokenKind | TokenScope): string {
  return buildSecret(scope, randomBytes(randomLength));
}

/** Number of random bytes in a secret. */
const randomLength = 28;

/** Builds a secret from the first 28 of some random bytes. */
export function buildSecret(scope: 'admin' | PersonalTokenKind | TokenScope, random: Buffer): string {
  return prefixOf(scope) + random.toString('hex', 0, randomLength);
}

function prefixOf(scope: 'admin' | PersonalTokenKind | TokenScope): string {
  if (scope === 'admin') return '*:*.';
  if (scope === 'user' || scope === 'agent') return 'user:';
  const [project = severalProjects, ...others] = scope.projects;
  return `${others.length > 0 ? severalProjects : project}:${scope.environment}.`;
}

/** Returns the token format of a text. The store is not asked about a text without one. */
export function formOf(secret: string): keyof typeof forms | undefined {
  if (secret.length > secretLengthMax || !/^[\x21-\x7e]+$/.test(secret)) return undefined;
  return (Object.keys(forms) as (keyof typeof forms)[]).find((form) => forms[form].test(secret));
}

/** Stands for a hidden part of a secret. */
const hidden = '***';

/** Stands for the random part of a secret, so that people who paste it see why it does not work. */
const masked = `${hidden}masked-since-shown-once${hidden}`;

/**
 * Returns the text that lists show instead of a secret that is not stored: the scope of the token, the beginning of its secret, and
 * its id. Paths that name a token take it in place of the secret.
 */
export function maskSecret(scope: 'admin' | TokenScope, beginning: string, id: string): string {
  return `${prefixOf(scope)}${beginning}${masked}${id}`;
}

/** Returns the id in a text that is an id or the mask of a secret. */
export function parseTokenId(text: string): string | undefined {
  return /^(?:.*\*{3})?([0-9a-f]{16})$/.exec(text)?.[1];
}

/** Tells whether a text has the format of an admin token. */
export function isAdminSecret(text: string): boolean {
  return formOf(text) === 'admin';
}

/** Tells whether a text has one of the formats of SDK tokens. */
export function mayBeSdkSecret(text: string): boolean {
  const form = formOf(text);
  return form === 'sdk' || form === 'bare';
}

/** Tells whether a text has the format of an SDK token that states its whole scope: one of several projects does not. */
export function isSdkSecret(text: string): boolean {
  return formOf(text) === 'sdk' && !text.startsWith(severalProjects);
}

/** A token, or the secret of an invitation, anywhere in a text. Bare tokens are longer than invitations. */
const anySecret = new RegExp(`user:.|\\*:\\*\\..|(?:\\[\\]|${name}):${name}\\..|[0-9a-f]{32}`);

/** Hides all parts of a path that contain a token, for logs and errors. An escaped slash separates parts, too. */
export function hideTokens(path: string): string {
  return path
    .split(/(\/|%2f)/i)
    .map((part) => (anySecret.test(decode(part)) ? hidden : part))
    .join('');
}

/** Decodes escapes of escapes, too. It keeps invalid escapes, since a token may follow; tokens are ASCII, so bytes are enough. */
function decode(text: string, passesLeft = 4): string {
  const decoded = text.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_escape, byte) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  return decoded === text || passesLeft === 0 ? decoded : decode(decoded, passesLeft - 1);
}

/** Returns the part of a secret that may be shown; the rest is still infeasible to guess. */
export function startOfSecret(secret: string): string {
  const random = secret.slice(secret.lastIndexOf('.') + 1);
  return random.slice(0, Math.min(8, Math.floor(random.length / 8)));
}

/** Returns the hash under which a secret is stored. A plain hash is enough, since secrets are random. */
export function hashOf(secret: string): string {
  return sha256(secret);
}

/** Tells whether a text has the form of a hash. */
export function isHash(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

/**
 * Returns the scope that a secret states. Names of environments and the random part may contain dots, so the longest existing
 * name counts.
 */
export function parseScope(secret: string, environments: readonly { readonly name: string }[]): Partial<TokenScope> {
  if (formOf(secret) !== 'sdk') return {};
  const colon = secret.indexOf(':');
  const [project, rest] = [secret.slice(0, colon), secret.slice(colon + 1)];
  const [existing] = environments
    .map(({ name }) => name)
    .filter((name) => rest.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length);
  const environment = existing ?? rest.slice(0, rest.indexOf('.'));
  return { environment, ...(project !== severalProjects && { projects: [project] }) };
}

/** Returns the secret in an `Authorization` header, with or without `Bearer`. */
export function parseAuthorization(header: string | undefined): string | undefined {
  return header?.trim().replace(/^Bearer +/i, '');
}
