import type { CounterName, Key } from './client/definition.ts';
import {
  favoritesOf,
  padded,
  referrersOf,
  seenOf,
  sessionsOf,
  shelfOf,
  tokenShard,
  uiStateOf,
} from './partition-names.ts';

/*
 * Every key of the table. Names cannot contain "#" (see `name` in lib/values/primitives.ts), so no two things share a
 * key; only the last part of a sort key holds free text.
 *
 * Each access pattern is a read by key or by partition (see partitions.ts), so it is strongly consistent. The one index is
 * for the list of all events, which may lag behind by a moment.
 *
 * Import this module as a whole (`import * as keys`): a bundle then holds only the keys that its function uses. What is
 * computed here is marked as pure for that reason.
 */

/**
 * How many items share the counts of environments. A transaction takes any of them, so that 16 writers of different
 * features conflict in less than a tenth even if each is a process of its own; the list of environments reads them all.
 */
const countShards = 64;

/**
 * How many items share the marks of the features of a project. A project's writers are at most all writers, so they are
 * as many as those of the counts; a reader gets all of them for one unit.
 */
const markShards = 64;

const shardName = (shard: number) => String(shard).padStart(2, '0');

/** Made once: each change of a feature asks for them. */
const markNames = /* @__PURE__ */ Array.from({ length: markShards }, (_, shard) => `MARK#${shardName(shard)}`);

export const feature = (name: string): Key => ({ pk: `FEATURE#${name}`, sk: 'FEATURE' });
export const featureEnvironment = (name: string, environment: string): Key => ({
  pk: `FEATURE#${name}`,
  sk: `ENVIRONMENT#${environment}`,
});
/** A part of a feature that is too large for its own item. */
export const featurePart = (name: string, part: string): Key => ({ pk: `FEATURE#${name}`, sk: `PART#${part}` });
export const featureChild = (parent: string, child: string): Key => ({ pk: `FEATURE#${parent}`, sk: `CHILD#${child}` });
export const featureEvents = (name: string, firstId: number): Key => ({
  pk: `FEATURE#${name}#EVENTS`,
  sk: padded(firstId),
});

export const project = (id: string): Key => ({ pk: `PROJECT#${id}`, sk: 'PROJECT' });
/** A project in the list of all. */
export const listedProject = (id: string): Key => ({ pk: 'PROJECTS', sk: id });
/** That a project is private. */
export const privateProject = (id: string): Key => ({ pk: 'PRIVATE_PROJECTS', sk: id });
export const defaultStrategy = (project: string, environment: string): Key => ({
  pk: `PROJECT#${project}`,
  sk: `DEFAULT_STRATEGY#${environment}`,
});
/** A feature in the list of its project. */
export const listedFeature = (project: string, name: string): Key => ({ pk: shelfOf(project), sk: `FEATURE#${name}` });
/** What SDKs get of a feature in an environment. */
export const delivery = (project: string, environment: string, name: string): Key => ({
  pk: shelfOf(project),
  sk: `DELIVERY#${environment}#${name}`,
});
/** Each holds a part of the sum of the marks of all that the project lists. */
export const marks = (project: string): Key[] => markNames.map((sk) => ({ pk: shelfOf(project), sk }));
/** Where releases before this one listed a live feature. */
export const projectFeatureBefore = (project: string, name: string): Key => ({ pk: shelfOf(project), sk: name });
export const archivedFeature = (project: string, archivedAt: string, name: string): Key => ({
  pk: `PROJECT#${project}#ARCHIVE`,
  sk: `${archivedAt}#${name}`,
});

export const environment = (name: string): Key => ({ pk: 'ENVIRONMENTS', sk: `ENVIRONMENT#${name}` });
/** Counts the changes of all environments. */
export const environmentsRevision = (): Key => ({ pk: 'ENVIRONMENTS', sk: 'REVISION' });
export const environmentCounts = /* @__PURE__ */ Array.from(
  { length: countShards },
  (_, shard): Key => ({ pk: 'ENVIRONMENTS', sk: `COUNTS#${shardName(shard)}` }),
);

export const strategyType = (name: string): Key => ({ pk: 'STRATEGY_TYPES', sk: name });
export const contextField = (name: string): Key => ({ pk: 'CONTEXT_FIELDS', sk: name });
export const featureType = (id: string): Key => ({ pk: 'FEATURE_TYPES', sk: id });
export const tagType = (name: string): Key => ({ pk: 'TAG_TYPES', sk: name });
export const tag = (type: string, value: string): Key => ({ pk: `TAGS#${type}`, sk: value });
/** Counts the tags that were ever made known of a type. */
export const tagsMade = (type: string): Key => ({ pk: 'TAGS_MADE', sk: type });
export const segment = (id: number): Key => ({ pk: 'SEGMENTS', sk: `ID#${padded(id)}` });
export const segmentName = (name: string): Key => ({ pk: 'SEGMENTS', sk: `NAME#${name}` });
/** Counts the changes of all segments. */
export const segmentsRevision = (): Key => ({ pk: 'SEGMENTS', sk: 'REVISION' });

export const user = (id: number): Key => ({ pk: 'ACCESS', sk: `USER#${padded(id)}` });
export const username = (username: string): Key => ({ pk: 'USERNAMES', sk: username });
/** In small letters: mail to any spelling arrives at the same person. */
export const userEmail = (email: string): Key => ({ pk: 'USER_EMAILS', sk: email.toLowerCase() });
/**
 * A name that one user signs in with (user name or address): in small letters, and in the form
 * that is the same for all that Unicode calls compatible, such as full-width letters and ligatures.
 */
export const signInName = (name: string): Key => ({ pk: 'SIGN_IN_NAMES', sk: name.normalize('NFKC').toLowerCase() });
export const serviceAccount = (id: number): Key => ({ pk: 'ACCESS', sk: `SERVICE#${padded(id)}` });
export const group = (id: number): Key => ({ pk: 'ACCESS', sk: `GROUP#${padded(id)}` });
export const groupName = (name: string): Key => ({ pk: 'GROUP_NAMES', sk: name });
export const role = (id: number): Key => ({ pk: 'ROLES', sk: `ID#${padded(id)}` });
export const roleName = (name: string): Key => ({ pk: 'ROLES', sk: `NAME#${name}` });
export const favoriteProject = (userId: number, id: string): Key => ({ pk: favoritesOf(userId), sk: `PROJECT#${id}` });
export const favoriteFeature = (userId: number, name: string): Key => ({
  pk: favoritesOf(userId),
  sk: `FEATURE#${name}`,
});
/** What an admin UI keeps of a user. */
export const uiState = (userId: number, kind: 'FEEDBACK' | 'SPLASH', id: string): Key => ({
  pk: uiStateOf(userId),
  sk: `${kind}#${id}`,
});
export const token = (hash: string): Key => ({ pk: tokenShard(hash), sk: hash });
/** An Edge, which is given tokens for what it signs. */
export const edgeClient = (id: string): Key => ({ pk: 'EDGE_CLIENTS', sk: id });
/** The token of an Edge for a scope, as a hash of that. */
export const edgeToken = (client: string, scope: string): Key => ({ pk: `EDGE_TOKENS#${client}`, sk: scope });
/** That a signed request has come, as a hash of what is in no other one. */
export const nonce = (hash: string): Key => ({ pk: `NONCES#${hash}`, sk: 'NONCE' });
/** How a user signs in. */
export const signIn = (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'SIGN_IN' });
/** That the address of a user is unverified. */
export const claimedAddress = (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'CLAIMED_ADDRESS' });
export const session = (userId: number, hash: string): Key => ({ pk: sessionsOf(userId), sk: hash });
/** A sign-on that is under way at an identity provider. */
export const signOn = (id: string): Key => ({ pk: `SIGN_ONS#${id}`, sk: 'SIGN_ON' });
/** A link by which people add themselves, under its secret. */
export const invitation = (secret: string): Key => ({ pk: 'INVITATIONS', sk: `LINK#${secret}` });
/** That a user came by an invitation. */
export const invited = (secret: string, userId: number): Key => ({
  pk: 'INVITATIONS',
  sk: `USER#${secret}#${padded(userId)}`,
});
/** A sign-in or an attempt. */
export const signedInOrNot = (id: number): Key => ({ pk: 'SIGN_INS', sk: padded(id) });
/** How often something was tried of late: by whom or as whom, as a hash of it. */
export const attempts = (hash: string): Key => ({ pk: `ATTEMPTS#${hash}`, sk: 'ATTEMPTS' });

/** Who refers to a thing: an item each, and how many they are. */
export const referrer = (kind: string, id: string, by: string): Key => ({ pk: referrersOf(kind, id), sk: `BY#${by}` });
export const referrerCount = (kind: string, id: string, shard: number): Key => ({
  pk: referrersOf(kind, id),
  sk: `COUNT#${shardName(shard)}`,
});

/** How often an application evaluated a feature in an hour; its own name comes last, since it may hold anything. */
export const usage = (feature: string, hour: string, environment: string, application: string): Key => ({
  pk: `USAGE#${feature}`,
  sk: `${hour}#${environment}#${application}`,
});
/** When a feature was last evaluated in an environment. */
export const featureSeen = (project: string, feature: string, environment: string): Key => ({
  pk: seenOf(project),
  sk: `${feature}#${environment}`,
});
/** When any feature of a project was last evaluated. */
export const projectSeen = (project: string): Key => ({ pk: 'SEEN', sk: project });
/** What applications measure themselves: a name with its labels, which its item says. */
export const customMetric = (hash: string): Key => ({ pk: 'CUSTOM_METRICS', sk: hash });
export const unknownFlag = (name: string, environment: string, application: string): Key => ({
  pk: 'UNKNOWN_FLAGS',
  sk: `${name}#${environment}#${application}`,
});
/** What people and events know of an application. */
export const application = (name: string): Key => ({ pk: 'APPLICATIONS', sk: `ABOUT#${name}` });
/** What its SDKs have said of it. */
export const applicationSeen = (name: string): Key => ({ pk: 'APPLICATIONS', sk: `SEEN#${name}` });
/** That an application has used a feature of late. */
export const applicationFeature = (application: string, environment: string, feature: string): Key => ({
  pk: `APPLICATION_FEATURES#${application}`,
  sk: `${environment}#${feature}`,
});
/** That an application has used features of a project of late. */
export const projectApplication = (project: string, environment: string, application: string): Key => ({
  pk: `PROJECT_APPLICATIONS#${project}`,
  sk: `${environment}#${application}`,
});
/** That an application has used a version of an SDK of late; its item says which. */
export const applicationSdk = (hash: string): Key => ({ pk: 'SDKS', sk: hash });
export const applicationInstance = (application: string, environment: string, instance: string): Key => ({
  pk: `APPLICATION#${application}`,
  sk: `${environment}#${instance}`,
});

export const addon = (id: number): Key => ({ pk: 'ADDONS', sk: padded(id) });
export const setting = (id: string): Key => ({ pk: 'SETTINGS', sk: id });

/** Events that belong to no feature, by month, so that no partition grows for ever. */
export const serviceEvents = (at: string, firstId: number): Key => ({
  pk: `EVENTS#${at.slice(0, 7)}`,
  sk: padded(firstId),
});
export const counter = (name: CounterName): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' });
/**
 * What is kept of a request that may come again: that it is under way, which its answer replaces, and what it has
 * carried out so far. One item for claim and answer, so that of two requests under one key only one gets through.
 */
export const keptRequest = (request: string): Key => ({ pk: `REQUEST#${request}`, sk: 'ANSWER' });
export const keptPart = (request: string, id: string): Key => ({ pk: `REQUEST#${request}`, sk: `PART#${id}` });
/** That a project or an environment was deleted, while things that belonged to it are still there. */
export const removal = (kind: 'project' | 'environment', id: string): Key => ({ pk: `REMOVAL#${kind}`, sk: id });
/** Its presence says that the store has received what a fresh one holds. */
export const seeded = (): Key => ({ pk: 'STORE', sk: 'SEEDED' });
export const seedRun = (): Key => ({ pk: 'STORE', sk: 'SEED_RUN' });
/** The number of the last migration that is complete, and how far the next one has come. */
export const migrations = (): Key => ({ pk: 'STORE', sk: 'MIGRATIONS' });
