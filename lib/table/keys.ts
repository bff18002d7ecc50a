/**
 * Every key of the table. Names cannot contain "#" (see `name` in lib/schemas/primitives.ts), so no two things share a
 * key; only the last part of a sort key holds free text.
 *
 * Each access pattern below is a read by key or by partition, so it is strongly consistent. The one index is for the
 * list of all events, which may lag behind by a moment.
 */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A partition, or the part of it whose sort keys begin with `prefix`, or stand between that and `end`, both included. */
export interface Partition {
  readonly pk: string;
  readonly prefix?: string;
  readonly end?: string;
}

type Prefixed = Omit<Partition, 'end'> & { readonly prefix: string };

/** The partition of the index. Its sort keys rise with time, and DynamoDB splits by them what becomes large or busy. */
export const eventLog = 'EVENTS';

/** The definition of the table, for all that create it: the local runtime, the tests and the stack. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'expiresAtSeconds',
  /** Lists the items of events by time. It holds no event, so that an event costs one write unit more, whatever its size. */
  eventLog: { name: 'eventLog', partitionKey: 'log', sortKey: 'at', attributes: ['about'] },
} as const;

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

/** Who refers to a thing is counted in so many items, so that writers who refer to the same one seldom meet. */
export const referrerShards = 4;

/** Tokens are spread by the first digit of their hash, so that guessing many does not slow one partition down. */
const tokenShard = (hash: string) => `TOKENS#${hash.slice(0, 1)}`;

/** What is numbered: each counter holds the highest number given out. */
export type CounterName = 'event' | 'user' | 'group' | 'segment' | 'addon' | 'personal-token' | 'role';

const shardName = (shard: number) => String(shard).padStart(2, '0');

const shelfOf = (project: string) => `PROJECT#${project}#FEATURES`;

const seenOf = (project: string) => `SEEN#${project}`;

/** Made once: each change of a feature asks for them. */
const markNames = Array.from({ length: markShards }, (_, shard) => `MARK#${shardName(shard)}`);

const padded = (id: number) => String(id).padStart(16, '0');

const favoritesOf = (userId: number) => `FAVORITES#${userId}`;

const uiStateOf = (userId: number) => `UI_STATE#${userId}`;

const sessionsOf = (userId: number) => `SESSIONS#${padded(userId)}`;

const referrersOf = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;

export const keys = {
  feature: (name: string): Key => ({ pk: `FEATURE#${name}`, sk: 'FEATURE' }),
  featureEnvironment: (name: string, environment: string): Key => ({
    pk: `FEATURE#${name}`,
    sk: `ENVIRONMENT#${environment}`,
  }),
  /** A part of a feature that is too large for its own item. */
  featurePart: (name: string, part: string): Key => ({ pk: `FEATURE#${name}`, sk: `PART#${part}` }),
  featureChild: (parent: string, child: string): Key => ({ pk: `FEATURE#${parent}`, sk: `CHILD#${child}` }),
  featureEvents: (name: string, firstId: number): Key => ({ pk: `FEATURE#${name}#EVENTS`, sk: padded(firstId) }),

  project: (id: string): Key => ({ pk: `PROJECT#${id}`, sk: 'PROJECT' }),
  /** A project in the list of all. */
  listedProject: (id: string): Key => ({ pk: 'PROJECTS', sk: id }),
  /** That a project is private. */
  privateProject: (id: string): Key => ({ pk: 'PRIVATE_PROJECTS', sk: id }),
  defaultStrategy: (project: string, environment: string): Key => ({
    pk: `PROJECT#${project}`,
    sk: `DEFAULT_STRATEGY#${environment}`,
  }),
  /** A feature in the list of its project. */
  listedFeature: (project: string, name: string): Key => ({ pk: shelfOf(project), sk: `FEATURE#${name}` }),
  /** What SDKs get of a feature in an environment. */
  delivery: (project: string, environment: string, name: string): Key => ({
    pk: shelfOf(project),
    sk: `DELIVERY#${environment}#${name}`,
  }),
  /** Each holds a part of the sum of the marks of all that the project lists. */
  marks: (project: string): Key[] => markNames.map((sk) => ({ pk: shelfOf(project), sk })),
  /** Where releases before this one listed a live feature. */
  projectFeatureBefore: (project: string, name: string): Key => ({ pk: shelfOf(project), sk: name }),
  archivedFeature: (project: string, archivedAt: string, name: string): Key => ({
    pk: `PROJECT#${project}#ARCHIVE`,
    sk: `${archivedAt}#${name}`,
  }),

  environment: (name: string): Key => ({ pk: 'ENVIRONMENTS', sk: `ENVIRONMENT#${name}` }),
  /** Counts the changes of all environments. */
  environmentsRevision: (): Key => ({ pk: 'ENVIRONMENTS', sk: 'REVISION' }),
  environmentCounts: Array.from(
    { length: countShards },
    (_, shard): Key => ({ pk: 'ENVIRONMENTS', sk: `COUNTS#${shardName(shard)}` }),
  ),

  strategyType: (name: string): Key => ({ pk: 'STRATEGY_TYPES', sk: name }),
  contextField: (name: string): Key => ({ pk: 'CONTEXT_FIELDS', sk: name }),
  featureType: (id: string): Key => ({ pk: 'FEATURE_TYPES', sk: id }),
  tagType: (name: string): Key => ({ pk: 'TAG_TYPES', sk: name }),
  tag: (type: string, value: string): Key => ({ pk: `TAGS#${type}`, sk: value }),
  /** Counts the tags that were ever made known of a type. */
  tagsMade: (type: string): Key => ({ pk: 'TAGS_MADE', sk: type }),
  segment: (id: number): Key => ({ pk: 'SEGMENTS', sk: `ID#${padded(id)}` }),
  segmentName: (name: string): Key => ({ pk: 'SEGMENTS', sk: `NAME#${name}` }),
  /** Counts the changes of all segments. */
  segmentsRevision: (): Key => ({ pk: 'SEGMENTS', sk: 'REVISION' }),

  user: (id: number): Key => ({ pk: 'ACCESS', sk: `USER#${padded(id)}` }),
  username: (username: string): Key => ({ pk: 'USERNAMES', sk: username }),
  /** In small letters: mail to any spelling arrives at the same person. */
  userEmail: (email: string): Key => ({ pk: 'USER_EMAILS', sk: email.toLowerCase() }),
  /**
   * A name that one user signs in with (user name or address): in small letters, and in the form
   * that is the same for all that Unicode calls compatible, such as full-width letters and ligatures.
   */
  signInName: (name: string): Key => ({ pk: 'SIGN_IN_NAMES', sk: name.normalize('NFKC').toLowerCase() }),
  serviceAccount: (id: number): Key => ({ pk: 'ACCESS', sk: `SERVICE#${padded(id)}` }),
  group: (id: number): Key => ({ pk: 'ACCESS', sk: `GROUP#${padded(id)}` }),
  groupName: (name: string): Key => ({ pk: 'GROUP_NAMES', sk: name }),
  role: (id: number): Key => ({ pk: 'ROLES', sk: `ID#${padded(id)}` }),
  roleName: (name: string): Key => ({ pk: 'ROLES', sk: `NAME#${name}` }),
  favoriteProject: (userId: number, id: string): Key => ({ pk: favoritesOf(userId), sk: `PROJECT#${id}` }),
  favoriteFeature: (userId: number, name: string): Key => ({ pk: favoritesOf(userId), sk: `FEATURE#${name}` }),
  /** What an admin UI keeps of a user. */
  uiState: (userId: number, kind: 'FEEDBACK' | 'SPLASH', id: string): Key => ({
    pk: uiStateOf(userId),
    sk: `${kind}#${id}`,
  }),
  token: (hash: string): Key => ({ pk: tokenShard(hash), sk: hash }),
  /** An Edge, which is given tokens for what it signs. */
  edgeClient: (id: string): Key => ({ pk: 'EDGE_CLIENTS', sk: id }),
  /** The token of an Edge for a scope, as a hash of that. */
  edgeToken: (client: string, scope: string): Key => ({ pk: `EDGE_TOKENS#${client}`, sk: scope }),
  /** That a signed request has come, as a hash of what is in no other one. */
  nonce: (hash: string): Key => ({ pk: `NONCES#${hash}`, sk: 'NONCE' }),
  /** How a user signs in. */
  signIn: (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'SIGN_IN' }),
  /** That the address of a user is unverified. */
  claimedAddress: (userId: number): Key => ({ pk: `SIGN_IN#${padded(userId)}`, sk: 'CLAIMED_ADDRESS' }),
  session: (userId: number, hash: string): Key => ({ pk: sessionsOf(userId), sk: hash }),
  /** A sign-on that is under way at an identity provider. */
  signOn: (id: string): Key => ({ pk: `SIGN_ONS#${id}`, sk: 'SIGN_ON' }),
  /** A link by which people add themselves, under its secret. */
  invitation: (secret: string): Key => ({ pk: 'INVITATIONS', sk: `LINK#${secret}` }),
  /** That a user came by an invitation. */
  invited: (secret: string, userId: number): Key => ({ pk: 'INVITATIONS', sk: `USER#${secret}#${padded(userId)}` }),
  /** A sign-in or an attempt. */
  signedInOrNot: (id: number): Key => ({ pk: 'SIGN_INS', sk: padded(id) }),
  /** How often something was tried of late: by whom or as whom, as a hash of it. */
  attempts: (hash: string): Key => ({ pk: `ATTEMPTS#${hash}`, sk: 'ATTEMPTS' }),

  /** Who refers to a thing: an item each, and how many they are. */
  referrer: (kind: string, id: string, by: string): Key => ({ pk: referrersOf(kind, id), sk: `BY#${by}` }),
  referrerCount: (kind: string, id: string, shard: number): Key => ({
    pk: referrersOf(kind, id),
    sk: `COUNT#${shardName(shard)}`,
  }),

  /** How often an application evaluated a feature in an hour; its own name comes last, since it may hold anything. */
  usage: (feature: string, hour: string, environment: string, application: string): Key => ({
    pk: `USAGE#${feature}`,
    sk: `${hour}#${environment}#${application}`,
  }),
  /** When a feature was last evaluated in an environment. */
  featureSeen: (project: string, feature: string, environment: string): Key => ({
    pk: seenOf(project),
    sk: `${feature}#${environment}`,
  }),
  /** When any feature of a project was last evaluated. */
  projectSeen: (project: string): Key => ({ pk: 'SEEN', sk: project }),
  /** What applications measure themselves: a name with its labels, which its item says. */
  customMetric: (hash: string): Key => ({ pk: 'CUSTOM_METRICS', sk: hash }),
  unknownFlag: (name: string, environment: string, application: string): Key => ({
    pk: 'UNKNOWN_FLAGS',
    sk: `${name}#${environment}#${application}`,
  }),
  /** What people and events know of an application. */
  application: (name: string): Key => ({ pk: 'APPLICATIONS', sk: `ABOUT#${name}` }),
  /** What its SDKs have said of it. */
  applicationSeen: (name: string): Key => ({ pk: 'APPLICATIONS', sk: `SEEN#${name}` }),
  /** That an application has used a feature of late. */
  applicationFeature: (application: string, environment: string, feature: string): Key => ({
    pk: `APPLICATION_FEATURES#${application}`,
    sk: `${environment}#${feature}`,
  }),
  /** That an application has used features of a project of late. */
  projectApplication: (project: string, environment: string, application: string): Key => ({
    pk: `PROJECT_APPLICATIONS#${project}`,
    sk: `${environment}#${application}`,
  }),
  /** That an application has used a version of an SDK of late; its item says which. */
  applicationSdk: (hash: string): Key => ({ pk: 'SDKS', sk: hash }),
  applicationInstance: (application: string, environment: string, instance: string): Key => ({
    pk: `APPLICATION#${application}`,
    sk: `${environment}#${instance}`,
  }),

  addon: (id: number): Key => ({ pk: 'ADDONS', sk: padded(id) }),
  setting: (id: string): Key => ({ pk: 'SETTINGS', sk: id }),

  /** Events that belong to no feature, by month, so that no partition grows for ever. */
  serviceEvents: (at: string, firstId: number): Key => ({ pk: `EVENTS#${at.slice(0, 7)}`, sk: padded(firstId) }),
  counter: (name: CounterName): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
  /**
   * What is kept of a request that may come again: that it is under way, which its answer replaces, and what it has
   * carried out so far. One item for claim and answer, so that of two requests under one key only one gets through.
   */
  keptRequest: (request: string): Key => ({ pk: `REQUEST#${request}`, sk: 'ANSWER' }),
  keptPart: (request: string, id: string): Key => ({ pk: `REQUEST#${request}`, sk: `PART#${id}` }),
  /** That a project or an environment was deleted, while things that belonged to it are still there. */
  removal: (kind: 'project' | 'environment', id: string): Key => ({ pk: `REMOVAL#${kind}`, sk: id }),
  /** Its presence says that the store has received what a fresh one holds. */
  seeded: (): Key => ({ pk: 'STORE', sk: 'SEEDED' }),
  seedRun: (): Key => ({ pk: 'STORE', sk: 'SEED_RUN' }),
  /** The number of the last migration that is complete, and how far the next one has come. */
  migrations: (): Key => ({ pk: 'STORE', sk: 'MIGRATIONS' }),
};

export const partitions = {
  projects: (): Partition => ({ pk: 'PROJECTS' }),
  privateProjects: (): Partition => ({ pk: 'PRIVATE_PROJECTS' }),
  feature: (name: string): Partition => ({ pk: `FEATURE#${name}` }),
  featureChildren: (name: string): Prefixed => ({ pk: `FEATURE#${name}`, prefix: 'CHILD#' }),
  featureEvents: (name: string): Partition => ({ pk: `FEATURE#${name}#EVENTS` }),
  defaultStrategies: (project: string): Prefixed => ({
    pk: `PROJECT#${project}`,
    prefix: 'DEFAULT_STRATEGY#',
  }),
  listedFeatures: (project: string): Prefixed => ({ pk: shelfOf(project), prefix: 'FEATURE#' }),
  /** The features that a project lists, and after them the marks that tell whether all of them are of one moment. */
  listedFeaturesAndMarks: (project: string): Partition => ({ pk: shelfOf(project), prefix: 'FEATURE#', end: 'MARK#~' }),
  deliveries: (project: string, environment: string): Prefixed => ({
    pk: shelfOf(project),
    prefix: `DELIVERY#${environment}#`,
  }),
  /** What SDKs get of a project in all environments. */
  allDeliveries: (project: string): Prefixed => ({ pk: shelfOf(project), prefix: 'DELIVERY#' }),
  marks: (project: string): Prefixed => ({ pk: shelfOf(project), prefix: 'MARK#' }),
  archivedFeatures: (project: string): Partition => ({ pk: `PROJECT#${project}#ARCHIVE` }),
  environments: (): Partition => ({ pk: 'ENVIRONMENTS' }),
  referrers: (kind: string, id: string): Prefixed => ({ pk: referrersOf(kind, id), prefix: 'BY#' }),
  segments: (): Partition => ({ pk: 'SEGMENTS', prefix: 'ID#' }),
  strategyTypes: (): Partition => ({ pk: 'STRATEGY_TYPES' }),
  contextFields: (): Partition => ({ pk: 'CONTEXT_FIELDS' }),
  featureTypes: (): Partition => ({ pk: 'FEATURE_TYPES' }),
  tagTypes: (): Partition => ({ pk: 'TAG_TYPES' }),
  tags: (type: string): Partition => ({ pk: `TAGS#${type}` }),
  usage: (feature: string): Partition => ({ pk: `USAGE#${feature}` }),
  usageInHour: (feature: string, hour: string): Prefixed => ({ pk: `USAGE#${feature}`, prefix: `${hour}#` }),
  seen: (project: string): Partition => ({ pk: seenOf(project) }),
  featureSeen: (project: string, feature: string): Prefixed => ({
    pk: seenOf(project),
    prefix: `${feature}#`,
  }),
  projectsSeen: (): Partition => ({ pk: 'SEEN' }),
  customMetrics: (): Partition => ({ pk: 'CUSTOM_METRICS' }),
  unknownFlags: (): Partition => ({ pk: 'UNKNOWN_FLAGS' }),
  applicationInstances: (application: string, environment: string): Prefixed => ({
    pk: `APPLICATION#${application}`,
    prefix: `${environment}#`,
  }),
  allInstances: (application: string): Partition => ({ pk: `APPLICATION#${application}` }),
  applicationFeatures: (application: string): Partition => ({ pk: `APPLICATION_FEATURES#${application}` }),
  projectApplications: (project: string): Partition => ({ pk: `PROJECT_APPLICATIONS#${project}` }),
  applicationSdks: (): Partition => ({ pk: 'SDKS' }),
  applications: (): Prefixed => ({ pk: 'APPLICATIONS', prefix: 'ABOUT#' }),
  applicationsSeen: (): Prefixed => ({ pk: 'APPLICATIONS', prefix: 'SEEN#' }),
  settings: (): Partition => ({ pk: 'SETTINGS' }),
  addons: (): Partition => ({ pk: 'ADDONS' }),
  access: (): Partition => ({ pk: 'ACCESS' }),
  roles: (): Prefixed => ({ pk: 'ROLES', prefix: 'ID#' }),
  favoriteProjects: (userId: number): Prefixed => ({ pk: favoritesOf(userId), prefix: 'PROJECT#' }),
  favoriteFeatures: (userId: number): Prefixed => ({ pk: favoritesOf(userId), prefix: 'FEATURE#' }),
  uiState: (userId: number): Partition => ({ pk: uiStateOf(userId) }),
  tokens: (): Partition[] => [...'0123456789abcdef'].map((digit) => ({ pk: tokenShard(digit) })),
  edgeClients: (): Partition => ({ pk: 'EDGE_CLIENTS' }),
  invitations: (): Partition => ({ pk: 'INVITATIONS' }),
  invitationLinks: (): Prefixed => ({ pk: 'INVITATIONS', prefix: 'LINK#' }),
  signedInOrNot: (): Partition => ({ pk: 'SIGN_INS' }),
  sessions: (userId: number): Partition => ({ pk: sessionsOf(userId) }),
  keptRequest: (request: string): Partition => ({ pk: `REQUEST#${request}` }),
  serviceEvents: (month: string): Partition => ({ pk: `EVENTS#${month}` }),
};
