import * as v from 'valibot';
import { boolean, moment, name, object, text, timestamp, titleOfLength } from '../values/primitives.ts';

/** Names of tokens need not be unique. */
const tokenName = titleOfLength(255);

/**
 * The type of an SDK token. As on Unleash, its case does not matter, and client tokens may be called backend tokens. The word of the
 * request is kept, since tools compare it with the reply.
 */
const sdkTokenType = v.pipe(
  v.string(),
  v.regex(
    /^([Cc][Ll][Ii][Ee][Nn][Tt]|[Bb][Aa][Cc][Kk][Ee][Nn][Dd]|[Ff][Rr][Oo][Nn][Tt][Ee][Nn][Dd])$/,
    'The type of a token is client (or backend, which is the same) or frontend; "npm run token" creates admin tokens.',
  ),
  v.toLowerCase(),
  v.picklist(['client', 'backend', 'frontend']),
);

const environment = v.pipe(
  name,
  v.notValue('*', 'A token is for one environment. Create one for each, since "*" is not allowed.'),
);

const projects = v.pipe(
  v.array(name),
  v.minLength(1, 'A token needs at least one project; ["*"] stands for all.'),
  v.maxLength(500, 'A token has at most 500 projects; ["*"] stands for all.'),
);

const common = {
  tokenName: v.exactOptional(tokenName),
  /** The name of `tokenName` before Unleash 5. */
  username: v.exactOptional(tokenName),
  type: sdkTokenType,
  /** `development` by default. */
  environment: v.exactOptional(environment),
  /** null or omitted for a token that does not expire. */
  expiresAt: v.exactOptional(v.nullable(moment)),
};

/** A new token for any projects, in requests. */
export const apiTokenInput = v.pipe(
  object({
    ...common,
    /** The only project; `*` or omitted for all. */
    project: v.exactOptional(name),
    projects: v.exactOptional(projects),
  }),
  v.forward(
    v.check(({ tokenName, username }) => (tokenName ?? username) !== undefined, 'This property is required.'),
    ['tokenName'],
  ),
  v.forward(
    v.check(
      ({ project, projects }) =>
        project === undefined || projects === undefined || projects.every((other) => other === project),
      'Send project or projects, not both.',
    ),
    ['project'],
  ),
);

/** A new token for the project of the path, in requests. */
export const projectApiTokenInput = v.pipe(
  object(common),
  v.forward(
    v.check(({ tokenName, username }) => (tokenName ?? username) !== undefined, 'This property is required.'),
    ['tokenName'],
  ),
);
export type ProjectApiTokenInput = v.InferOutput<typeof projectApiTokenInput>;

/** Changeable properties of a token. */
export const apiTokenUpdate = object({
  /** null for a token that does not expire. */
  expiresAt: v.nullable(moment),
});

const tokenType = v.picklist(['client', 'admin', 'frontend', 'backend']);

/** A token in replies. */
export const apiToken = object({
  /**
   * The secret of a new token, and of a frontend token for callers who could create it. Otherwise the start of the secret and the id of
   * the token, which paths take in place of the secret.
   */
  secret: text,
  tokenName: text,
  type: tokenType,
  /** `*` for an admin token. */
  environment: text,
  /** The projects, separated by commas. */
  project: text,
  /** `*` for all. */
  projects: v.array(name),
  createdAt: timestamp,
  expiresAt: v.nullable(timestamp),
  /** The last use by an SDK, accurate to about ten minutes; null for never, and for admin tokens. */
  seenAt: v.nullable(timestamp),
  /** Always null. A former proxy of Unleash used it. */
  alias: v.nullable(text),
  /** True if `secret` is not the secret: only its hash is stored, or the caller could not create such a token. */
  secure: boolean,
});
export type ApiToken = v.InferOutput<typeof apiToken>;

export const apiTokens = object({ tokens: v.array(apiToken) });

/** Tokens that an Edge asks about: all that it knows, usually one or two. */
export const tokenStrings = object({
  tokens: v.pipe(v.array(text), v.maxLength(50, 'At most 50 tokens can be validated at a time.')),
});

/** Valid tokens among these. */
export const validTokens = object({
  tokens: v.array(object({ token: text, type: tokenType, projects: v.array(name), environment: name })),
});

/** Tokens that an Edge requests: each for an environment and some projects, or `*` for all. */
export const edgeTokenRequests = object({
  tokens: v.pipe(
    v.array(object({ environment, projects })),
    v.maxLength(50, 'At most 50 tokens can be requested at a time.'),
  ),
});
