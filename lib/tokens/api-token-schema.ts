import * as v from 'valibot';
import { boolean, moment, name, object, text, timestamp, titleOfLength } from '../values/primitives.ts';

/** Name of a token; names need not be unique. */
const tokenName = titleOfLength(255);

/**
 * Type of an SDK token. Unleash takes it in any letter case, and has called client tokens backend tokens since release
 * 7. The word that was sent is kept, since tools compare it with the reply.
 */
const sdkTokenType = v.pipe(
  v.string(),
  v.regex(
    /^([Cc][Ll][Ii][Ee][Nn][Tt]|[Bb][Aa][Cc][Kk][Ee][Nn][Dd]|[Ff][Rr][Oo][Nn][Tt][Ee][Nn][Dd])$/,
    'A token is of the type client (or backend, which is the same) or frontend; "npm run token" makes admin tokens.',
  ),
  v.toLowerCase(),
  v.picklist(['client', 'backend', 'frontend']),
);

const environment = v.pipe(
  name,
  v.notValue('*', 'A token is for one environment. Make one for each, since "*" is not allowed.'),
);

const projects = v.pipe(
  v.array(name),
  v.minLength(1, 'A token is for one project at least; ["*"] stands for all.'),
  v.maxLength(500, 'A token is for 500 projects at most; ["*"] stands for all.'),
);

const common = {
  tokenName: v.exactOptional(tokenName),
  /** Its name before release 5 of Unleash. */
  username: v.exactOptional(tokenName),
  type: sdkTokenType,
  /** Environment; `development` by default. */
  environment: v.exactOptional(environment),
  /** null, or nothing, for a token that does not expire. */
  expiresAt: v.exactOptional(v.nullable(moment)),
};

/** A token for any projects, as it is sent. */
export const apiTokenInput = v.pipe(
  object({
    ...common,
    /** The one project that it is for; `*`, or nothing, for all. */
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
        project === undefined || projects === undefined || projects.every((each) => each === project),
      'Send project or projects, not both.',
    ),
    ['project'],
  ),
);

/** A token for the project that the path names, as it is sent. */
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

/** A token as it is answered. */
export const apiToken = object({
  /**
   * The secret, when the token is made, and that of a frontend token for those who could make one for the same
   * projects. Otherwise its beginning and the id of the token, by which paths may name it; that gives no access.
   */
  secret: text,
  tokenName: text,
  type: tokenType,
  /** `*` of an admin token. */
  environment: text,
  /** All of `projects`, with commas between them. */
  project: text,
  /** `*` alone for all. */
  projects: v.array(name),
  createdAt: timestamp,
  expiresAt: v.nullable(timestamp),
  /** Time of the last use by an SDK, accurate to about ten minutes; null for never, and for admin tokens. */
  seenAt: v.nullable(timestamp),
  /** Field from the time of a proxy that no longer exists; always null. */
  alias: v.nullable(text),
  /** True if the secret cannot be copied here: only its hash is kept, or the caller could not create such a token. */
  secure: boolean,
});
export type ApiToken = v.InferOutput<typeof apiToken>;

export const apiTokens = object({ tokens: v.array(apiToken) });

/** A filter of tokens. An Edge asks about all that it knows at once, which are one or two for most. */
export const tokenStrings = object({
  tokens: v.pipe(v.array(text), v.maxLength(50, 'At most 50 tokens can be asked about at once.')),
});

/** Valid tokens among those asked about. */
export const validTokens = object({
  tokens: v.array(object({ token: text, type: tokenType, projects: v.array(name), environment: name })),
});

/** The tokens that an Edge wants to have: each for an environment and some projects, or `*` for all. */
export const edgeTokenRequests = object({
  tokens: v.pipe(
    v.array(object({ environment, projects })),
    v.maxLength(50, 'At most 50 tokens can be asked for at once.'),
  ),
});
