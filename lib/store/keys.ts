import type { Key } from './client/definition.ts';
import {
  arrivalsPartition,
  favoritesPartition,
  keysIn,
  lanesPartition,
  overridePrefix,
  padded,
  referrersPartition,
  seenPartition,
  sentPartition,
  sessionsPartition,
  shelfPartition,
  tokenShard,
  uiStatePartition,
} from './partition-names.ts';

/*
 * Every key of the table but those of entities (see lib/entity/entity.ts). Names cannot contain "#" (see `name` in
 * lib/values/primitives.ts), so no two things share a key; only the last part of a sort key holds free text.
 *
 * Each access pattern is a read by key or by partition (see partitions.ts), so it is strongly consistent. The one index is
 * for the list of all events, which may lag behind by a moment.
 *
 * Import this module as a whole (`import * as keys`): a bundle then holds only the keys that its function uses. What is
 * computed here is marked as pure for that reason.
 */

/**
 * The number of items that share the counts of environments. A transaction takes any of them, so that 16 writers of
 * different features conflict in less than a tenth even if each is a process of its own; the list of environments reads
 * them all.
 */
const countShards = 64;

/**
 * The number of items that share the marks of the features of a project. A project's writers are at most all writers,
 * so they are as many as those of the counts; a reader gets all of them for one unit.
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
/** The mark of a private project. */
export const privateProject = (id: string): Key => ({ pk: 'PRIVATE_PROJECTS', sk: id });
/** The mark of an environment of a project in which changes need approval; the id of no project contains a "#". */
export const protectedEnvironment = (project: string, environment: string): Key => ({
  pk: 'PRIVATE_PROJECTS',
  sk: `${project}#${environment}`,
});
/** The mark of a service in which administrators need approval as everybody does; beside the others, no project. */
export const adminsNeedApproval = (): Key => ({ pk: 'PRIVATE_PROJECTS', sk: '#ADMINS' });
/** The mark of the override that a person has in an environment of a project; beside the others, no project. */
export const override = (project: string, environment: string, holder: number): Key => ({
  pk: 'PRIVATE_PROJECTS',
  sk: `${overridePrefix}${project}#${environment}#${padded(holder)}`,
});
export const defaultStrategy = (project: string, environment: string): Key => ({
  pk: `PROJECT#${project}`,
  sk: `DEFAULT_STRATEGY#${environment}`,
});
/** A feature in the list of its project. */
export const listedFeature = (project: string, name: string): Key => ({
  pk: shelfPartition(project),
  sk: `FEATURE#${name}`,
});
/** The state of a feature in an environment that SDKs get. */
export const delivery = (project: string, environment: string, name: string): Key => ({
  pk: shelfPartition(project),
  sk: `DELIVERY#${environment}#${name}`,
});
/** Each holds a part of the sum of the marks of all that the project lists. */
export function marks(project: string): Key[] {
  const pk = shelfPartition(project);
  return markNames.map((sk) => ({ pk, sk }));
}
export const archivedFeature = (project: string, archivedAt: string, name: string): Key => ({
  pk: `PROJECT#${project}#ARCHIVE`,
  sk: `${archivedAt}#${name}`,
});

export const changeRequest = (id: number): Key => ({ pk: `CHANGE_REQUEST#${padded(id)}`, sk: 'CHANGE_REQUEST' });
/** The events of a transaction under an override, beside the change request of that. */
export const changedUnder = (changeRequest: number, firstEvent: string): Key => ({
  pk: `CHANGE_REQUEST#${padded(changeRequest)}`,
  sk: `CHANGED#${firstEvent}`,
});
/** A mail about a change request that waits to be sent. */
export const mail = (changeRequest: number, version: number, occasion: string): Key => ({
  pk: 'MAILS',
  sk: `${padded(changeRequest)}#${padded(version)}#${occasion}`,
});
/** The mark of a change request whose time is to come. */
export const schedule = (scheduledAt: string, id: number): Key => ({
  pk: 'SCHEDULES',
  sk: `${scheduledAt}#${padded(id)}`,
});
/** The mark of a change request that is cancelled at a moment, unless it is applied before. */
export const expiry = (expiresAt: string, id: number): Key => ({ pk: 'EXPIRIES', sk: `${expiresAt}#${padded(id)}` });
/** An item that the store removes by then, which wakes the clock. */
export const alarm = (id: number): Key => ({ pk: 'ALARMS', sk: padded(id) });
/** A change request in the list of its project. */
export const listedChangeRequest = (project: string, state: 'OPEN' | 'CLOSED', id: number): Key => ({
  pk: `PROJECT#${project}#CHANGE_REQUESTS`,
  sk: `${state}#${padded(id)}`,
});
/** The change request that an author can still edit, of which there is at most one in an environment of a project. */
export const pendingChangeRequest = (project: string, environment: string, author: string): Key => ({
  pk: `PROJECT#${project}#CHANGE_REQUESTS`,
  sk: `PENDING#${environment}#${author}`,
});

/** Counts the changes of all environments. */
export const environmentsRevision = (): Key => ({ pk: 'ENVIRONMENTS', sk: 'REVISION' });
export const environmentCounts = /* @__PURE__ */ Array.from(
  { length: countShards },
  (_, shard): Key => ({ pk: 'ENVIRONMENTS', sk: `COUNTS#${shardName(shard)}` }),
);

export const tag = (type: string, value: string): Key => ({ pk: `TAGS#${type}`, sk: value });
/** Counts the tags that were ever made known of a type. */
export const tagsMade = (type: string): Key => ({ pk: 'TAGS_MADE', sk: type });
/** Counts the changes of all segments. */
export const segmentsRevision = (): Key => ({ pk: 'SEGMENTS', sk: 'REVISION' });

export const username = (username: string): Key => ({ pk: 'USERNAMES', sk: username });
/** In small letters: mail to any spelling arrives at the same person. */
export const userEmail = (email: string): Key => ({ pk: 'USER_EMAILS', sk: email.toLowerCase() });
/**
 * A name that one user signs in with (user name or address): in small letters, and in the form
 * that is the same for all that Unicode calls compatible, such as full-width letters and ligatures.
 */
export const signInName = (name: string): Key => ({ pk: 'SIGN_IN_NAMES', sk: name.normalize('NFKC').toLowerCase() });
export const favoriteProject = (userId: number, id: string): Key => ({
  pk: favoritesPartition(userId),
  sk: `PROJECT#${id}`,
});
export const favoriteFeature = (userId: number, name: string): Key => ({
  pk: favoritesPartition(userId),
  sk: `FEATURE#${name}`,
});
/** State of a user that an admin UI keeps. */
export const uiState = (userId: number, kind: 'FEEDBACK' | 'SPLASH', id: string): Key => ({
  pk: uiStatePartition(userId),
  sk: `${kind}#${id}`,
});
export const token = (hash: string): Key => ({ pk: tokenShard(hash), sk: hash });
/** The token of an Edge for a scope, as a hash of that. */
export const edgeToken = (client: string, scope: string): Key => ({ pk: `EDGE_TOKENS#${client}`, sk: scope });
/** The trace of a signed request, as a hash of what is in no other one. */
export const nonce = (hash: string): Key => ({ pk: `NONCES#${hash}`, sk: 'NONCE' });
/** The credentials of a user. */
export const signIn = (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'SIGN_IN' });
/** The mark of a user whose address is unverified. */
export const claimedAddress = (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'CLAIMED_ADDRESS' });
export const session = (userId: number, hash: string): Key => ({ pk: sessionsPartition(userId), sk: hash });
/** A sign-on that is under way at an identity provider. */
export const signOn = (id: string): Key => ({ pk: `SIGN_ONS#${id}`, sk: 'SIGN_ON' });
/** The mark of a user who came by an invitation. */
export const invited = (secret: string, userId: number): Key => ({
  pk: 'INVITATIONS',
  sk: `USER#${secret}#${padded(userId)}`,
});
/** A sign-in or an attempt. */
export const signedInOrNot = (id: number): Key => ({ pk: 'SIGN_INS', sk: padded(id) });
/** Recent attempts at something, under a hash of the person or address that tries. */
export const attempts = (hash: string): Key => ({ pk: `ATTEMPTS#${hash}`, sk: 'ATTEMPTS' });

/** The referrers of a thing, an item each, and their number. */
export const referrer = (kind: string, id: string, by: string): Key => ({
  pk: referrersPartition(kind, id),
  sk: `BY#${by}`,
});
export const referrerCount = (kind: string, id: string, shard: number): Key => ({
  pk: referrersPartition(kind, id),
  sk: `COUNT#${shardName(shard)}`,
});

/**
 * Evaluations of a feature by an application in an hour; the application's name comes last, since it may hold anything.
 */
export const usage = (feature: string, hour: string, environment: string, application: string): Key => ({
  pk: `USAGE#${feature}`,
  sk: `${hour}#${environment}#${application}`,
});
/** The time of the last evaluation of a feature in an environment. */
export const featureSeen = (project: string, feature: string, environment: string): Key => ({
  pk: seenPartition(project),
  sk: `${feature}#${environment}`,
});
/** The time of the last evaluation of any feature of a project. */
export const projectSeen = (project: string): Key => ({ pk: 'SEEN', sk: project });
/** A custom metric of applications: its item holds the name and the labels. */
export const customMetric = (hash: string): Key => ({ pk: 'CUSTOM_METRICS', sk: hash });
/** The calls of a day. */
export const traffic = (day: string): Key => ({ pk: 'TRAFFIC', sk: day });
export const unknownFlag = (name: string, environment: string, application: string): Key => ({
  pk: 'UNKNOWN_FLAGS',
  sk: `${name}#${environment}#${application}`,
});
/** The reports of an application's SDKs. */
export const applicationSeen = (name: string): Key => ({ pk: 'APPLICATIONS', sk: `SEEN#${name}` });
/** The recent use of a feature by an application. */
export const applicationFeature = (application: string, environment: string, feature: string): Key => ({
  pk: `APPLICATION_FEATURES#${application}`,
  sk: `${environment}#${feature}`,
});
/** The recent use of a project's features by an application. */
export const projectApplication = (project: string, environment: string, application: string): Key => ({
  pk: `PROJECT_APPLICATIONS#${project}`,
  sk: `${environment}#${application}`,
});
/** The recent use of an SDK version by an application; the item names them. */
export const applicationSdk = (hash: string): Key => ({ pk: 'SDKS', sk: hash });
export const applicationInstance = (application: string, environment: string, instance: string): Key => ({
  pk: `APPLICATION#${application}`,
  sk: `${environment}#${instance}`,
});

/** The state of what is sent to integrations: whose table it is, and how far all is settled. */
export const sendingState = (): Key => ({ pk: 'SENDING', sk: 'STATE' });
/** The troubles of an integration. */
export const addonHealth = (id: number): Key => ({ pk: 'SENDING', sk: `ADDON#${padded(id)}` });
/** The count of the requests to an integration within a day. */
export const addonDay = (id: number): Key => ({ pk: 'SENDING', sk: `DAY#${padded(id)}` });
/** The way of the events of one feature to an integration, or of one item of events without a feature. */
export const lane = (addon: number, name: string): Key => ({ pk: lanesPartition(addon), sk: `LANE#${name}` });
/** A lane that waits. */
export const pendingLane = (addon: number, name: string): Key => ({
  pk: lanesPartition(addon),
  sk: `PENDING#${name}`,
});
/** A request to send events of the past. */
export const sendingAgain = (addon: number, id: string): Key => ({ pk: lanesPartition(addon), sk: `AGAIN#${id}` });
/** An event that was sent to an integration, or given up. */
export const sentEvent = (addon: number, eventId: number): Key => ({ pk: sentPartition(addon), sk: padded(eventId) });

/** Events that belong to no feature, by month, so that no partition grows for ever. */
export const serviceEvents = (at: string, firstId: number): Key => ({
  pk: `EVENTS#${at.slice(0, 7)}`,
  sk: padded(firstId),
});
export const counter = (name: string): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' });
/**
 * The state of a request that may come again: a claim while it is under way, which its answer replaces, and the parts
 * carried out so far. One item for claim and answer, so that of two requests under one key only one gets through.
 */
export const keptRequest = (request: string): Key => ({ pk: `REQUEST#${request}`, sk: 'ANSWER' });
export const keptPart = (request: string, id: string): Key => ({ pk: `REQUEST#${request}`, sk: `PART#${id}` });
/** A project or an environment that was deleted, while things that belonged to it still exist. */
export const removal = (kind: 'project' | 'environment', id: string): Key => ({ pk: `REMOVAL#${kind}`, sk: id });
/** Its presence says that the store has received what a fresh one holds. */
export const seeded = (): Key => ({ pk: 'STORE', sk: 'SEEDED' });
export const seedRun = (): Key => ({ pk: 'STORE', sk: 'SEED_RUN' });
/** The events of a server that was migrated: which ids they have here, and how far they are here. */
export const migratedServer = (address: string): Key => ({ pk: 'STORE', sk: `MIGRATED#${address}` });
/** The version that a thing had when a migration of a server wrote it. */
export const migratedThing = (address: string, kind: string, id: string | number): Key =>
  keysIn(arrivalsPartition(address, kind))(id);
/** The number of the last migration that is complete, and how far the next one has come. */
export const migrations = (): Key => ({ pk: 'STORE', sk: 'MIGRATIONS' });
/** Its presence says that the store is being restored from a backup, and how far that has come. */
export const restoring = (): Key => ({ pk: 'STORE', sk: 'RESTORING' });
