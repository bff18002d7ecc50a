import type { Event, EventType } from '../../events/event-schema.ts';
import { describeMeasured, describeSafeguard, isOnOrOff } from './safeguards.ts';
import { describeMinutes, describeTime } from './times.ts';

/** The part of an event that its sentence is about. */
export type ToldEvent = Pick<Event, 'type' | 'environment' | 'data' | 'preData' | 'featureName'>;

type Sentence = string | ((event: ToldEvent) => string);

/** Returns a property of the state after a change, or before it where nothing is after, as a text. */
function read({ data, preData }: ToldEvent, name: string): string {
  const value = data?.[name] ?? preData?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Characters that change the direction of the text behind them, such as that of our own words. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g;

const quote = (text: string) => (text === '' ? '' : ` “${text.replaceAll(directions, '')}”`);

/** The subject of each kind of settings. Their events tell no more, since settings have secrets. */
const settings: Readonly<Record<string, string>> = {
  'unleash.frontend': 'pages that may use the frontend API',
  'unleash.auth.simple': 'signing in with a password',
  'unleash.enterprise.auth.saml': 'signing in with SAML',
  'unleash.enterprise.auth.oidc': 'signing in with OpenID Connect',
  'unleash.enterprise.auth.scim': 'the directory (SCIM)',
};

function tellSetting(event: ToldEvent): string {
  const subject = settings[read(event, 'id')];
  return subject === undefined ? 'changed the settings' : `changed the settings of ${subject}`;
}

/** Tells a change of a thing with a name: `created the segment “beta”`. */
const named =
  (verb: string, thing: string): Sentence =>
  (event) =>
    `${verb} the ${thing}${quote(read(event, 'name') || read(event, 'username') || read(event, 'email'))}`;

/** Describes a token of a person. Events of releases before 0.7, and of tokens without a description, have none. */
function describeToken(event: ToldEvent): string {
  const kind = read(event, 'kind') === 'agent' ? 'agent token' : 'personal token';
  const owner = quote(read(event, 'name'));
  return `the ${kind}${quote(read(event, 'description'))}${owner && ` of${owner}`}`;
}

/** Names a tag as the list of flags does: without its type if that is the usual one. */
const tagOf = (event: ToldEvent) => [read(event, 'type'), read(event, 'value')].join(':').replace(/^simple:/, '');

function kind<K extends string>(key: K, thing: string): Record<`${K}-${'created' | 'updated' | 'deleted'}`, Sentence> {
  return {
    [`${key}-created`]: named('created', thing),
    [`${key}-updated`]: named('changed', thing),
    [`${key}-deleted`]: named('deleted', thing),
  } as Record<`${K}-${'created' | 'updated' | 'deleted'}`, Sentence>;
}

/** Returns the name of a strategy as people call it. */
export function describeStrategy(strategy: Readonly<Record<string, unknown>> | null | undefined): string {
  const { title, name, parameters } = strategy ?? {};
  if (typeof title === 'string' && title !== '') return title;
  if (name === 'default') return 'Everyone';
  if (name === 'flexibleRollout') {
    const { rollout = '100' } = (parameters ?? {}) as { rollout?: string };
    return Number(rollout) === 100 ? 'Everyone' : 'Gradual rollout';
  }
  if (name === 'userWithId') return 'Listed users';
  if (name === 'remoteAddress') return 'Listed addresses';
  if (name === 'applicationHostname') return 'Listed hosts';
  return String(name ?? 'a strategy');
}

const rolloutOf = (strategy: ToldEvent['data']) => (strategy?.parameters as { rollout?: string } | undefined)?.rollout;

function tellStrategyChange({ data, preData }: ToldEvent): string {
  const [before, after] = [rolloutOf(preData), rolloutOf(data)];
  if (before !== undefined && after !== undefined && before !== after)
    return `changed the rollout${data?.title ? ` of${quote(String(data.title))}` : ''} from ${before}% to ${after}%`;
  return `changed the strategy${quote(describeStrategy(data))}`;
}

function tellOverride(event: ToldEvent): string {
  return `overrode approval: “${read(event, 'reason')}”`;
}

const chartOf = (event: ToldEvent) => read(event, 'title') || read(event, 'metricName');
const milestoneOf = (event: ToldEvent) => `the milestone${quote(read(event, 'milestoneName'))}`;

/** Tells that a milestone takes the place of another: `started the milestone “Half” after “Few”`. */
function tellStart(event: ToldEvent): string {
  const before = event.preData?.milestoneName;
  const after = typeof before === 'string' ? ` after${quote(before)}` : '';
  return `started ${milestoneOf(event)}${after}${event.data?.isByTime === true ? ' by itself' : ''}`;
}

function intervalOf({ data }: ToldEvent): string {
  const { intervalMinutes } = (data?.transitionCondition ?? {}) as { readonly intervalMinutes?: number };
  return intervalMinutes === undefined ? '' : ` to ${describeMinutes(intervalMinutes)}`;
}

/** Tells that a safeguard acted, with the reason that a sender gave, or the value at which it acted. */
function tellTrigger({ data }: ToldEvent): string {
  const { value, reason, impactMetric }: Readonly<Record<string, unknown>> = data ?? {};
  const { metricName = '' } = (impactMetric ?? {}) as Readonly<Record<string, string>>;
  const told = `acted on the safeguard${quote(describeSafeguard(data))}`;
  if (typeof reason === 'string' && reason !== '') return `${told}:${quote(reason)}`;
  if (typeof value !== 'number' || isOnOrOff(metricName)) return told;
  return `${told} at ${describeMeasured(metricName, value)}`;
}

const requestTitle = (event: ToldEvent) => quote(read(event, 'changeRequestTitle'));

/** The sentence of each type of event after the name of its author. A new type does not compile without one. */
const sentences: Record<EventType, Sentence> = {
  ...kind('strategy', 'strategy type'),
  ...kind('context-field', 'context field'),
  ...kind('project', 'project'),
  ...kind('role', 'role'),
  ...kind('tag-type', 'tag type'),
  ...kind('user', 'user'),
  ...kind('environment', 'environment'),
  ...kind('segment', 'segment'),
  ...kind('group', 'group'),
  ...kind('service-account', 'service account'),
  ...kind('signal-endpoint', 'signal endpoint'),
  ...kind('signal-endpoint-token', 'token of a signal endpoint'),
  ...kind('actions', 'action'),
  ...kind('milestone-progression', 'progression of a milestone'),
  ...kind('release-plan-template', 'release template'),
  'addon-config-created': (event) => `created the integration${quote(read(event, 'provider'))}`,
  'addon-config-updated': (event) => `changed the integration${quote(read(event, 'provider'))}`,
  'addon-config-deleted': (event) => `deleted the integration${quote(read(event, 'provider'))}`,
  'api-token-created': (event) => `created the token${quote(read(event, 'tokenName') || read(event, 'username'))}`,
  'api-token-updated': (event) => `changed the token${quote(read(event, 'tokenName') || read(event, 'username'))}`,
  'api-token-deleted': (event) => `deleted the token${quote(read(event, 'tokenName') || read(event, 'username'))}`,
  'banner-created': (event) => `created the banner${quote(read(event, 'message'))}`,
  'banner-updated': (event) => `changed the banner${quote(read(event, 'message'))}`,
  'banner-deleted': (event) => `deleted the banner${quote(read(event, 'message'))}`,
  'impact-metric-created': (event) => `saved the chart${quote(chartOf(event))}`,
  'impact-metric-updated': (event) => `changed the chart${quote(chartOf(event))}`,
  'impact-metric-deleted': (event) => `removed the chart${quote(chartOf(event))}`,
  'setting-created': tellSetting,
  'setting-updated': tellSetting,
  'setting-deleted': 'reset a setting',
  'application-created': 'used Flagstaff for the first time',
  'feature-created': 'created the flag',
  'feature-updated': 'changed the flag',
  'feature-deleted': 'deleted the flag',
  'feature-archived': 'archived the flag',
  'feature-revived': 'revived the flag',
  'feature-import': 'imported the flag',
  'feature-tagged': (event) => `added the tag ${tagOf(event)}`,
  'feature-untagged': (event) => `removed the tag ${tagOf(event)}`,
  'feature-completed': 'marked the flag as completed',
  'feature-uncompleted': 'marked the flag as not completed',
  'feature-reverted': (event) => `took the flag back to ${describeTime(read(event, 'to'))}`,
  'feature-favorited': 'starred the flag',
  'feature-unfavorited': 'removed the star from the flag',
  'feature-dependencies-removed': 'removed all parents',
  'feature-dependency-added': (event) => `added the parent${quote(read(event, 'feature'))}`,
  'feature-dependency-removed': (event) => `removed the parent${quote(read(event, 'feature'))}`,
  'feature-environment-enabled': 'switched it on',
  'feature-environment-disabled': 'switched it off',
  'feature-environment-variants-updated': 'changed the variants',
  'feature-link-added': (event) => `added the link${quote(read(event, 'title') || read(event, 'url'))}`,
  'feature-link-updated': (event) => `changed the link${quote(read(event, 'title') || read(event, 'url'))}`,
  'feature-link-removed': (event) => `removed the link${quote(read(event, 'title') || read(event, 'url'))}`,
  'feature-metadata-updated': 'changed the description or type',
  'feature-potentially-stale-on': 'has reached its expected lifetime',
  'feature-project-change': (event) => `moved the flag to the project${quote(read(event, 'newProject'))}`,
  'feature-stale-on': 'marked the flag as stale',
  'feature-stale-off': 'marked the flag as not stale',
  'feature-strategy-add': (event) => `added the strategy${quote(describeStrategy(event.data))}`,
  'feature-strategy-update': tellStrategyChange,
  'feature-strategy-remove': (event) => `removed the strategy${quote(describeStrategy(event.preData))}`,
  'feature-tag-import': 'imported the tags of flags',
  'feature-type-updated': (event) => `changed the type${quote(read(event, 'name'))} of flags`,
  'feature-variants-updated': 'changed the variants',
  'features-exported': 'exported flags',
  'features-imported': 'imported flags',
  'strategy-deprecated': named('deprecated', 'strategy type'),
  'strategy-reactivated': named('reactivated', 'strategy type'),
  'strategy-import': named('imported', 'strategy type'),
  'strategy-order-changed': 'changed the order of the strategies',
  'default-strategy-updated': 'changed the default strategy',
  'segment-import': named('imported', 'segment'),
  'project-archived': 'archived the project',
  'project-revived': 'revived the project',
  'project-import': 'imported the project',
  'project-favorited': 'starred the project',
  'project-unfavorited': 'removed the star from the project',
  'project-access-added': 'gave access to the project',
  'project-access-updated': 'changed access to the project',
  'project-access-group-roles-updated': 'changed the roles of a group in the project',
  'project-access-group-roles-deleted': 'removed a group from the project',
  'project-access-user-roles-updated': 'changed the roles of a person in the project',
  'project-access-user-roles-deleted': 'removed a person from the project',
  'project-environment-added': 'added the environment to the project',
  'project-environment-removed': 'removed the environment from the project',
  'project-group-added': 'added a group to the project',
  'project-group-removed': 'removed a group from the project',
  'project-group-role-changed': 'changed the role of a group in the project',
  'project-user-added': 'added a person to the project',
  'project-user-removed': 'removed a person from the project',
  'project-user-role-changed': 'changed the role of a person in the project',
  'environment-import': named('imported', 'environment'),
  'tag-created': (event) => `created the tag ${tagOf(event)}`,
  'tag-deleted': (event) => `deleted the tag ${tagOf(event)}`,
  'tag-import': 'imported a tag',
  'tag-type-import': named('imported', 'tag type'),
  'drop-environments': 'deleted all environments',
  'drop-features': 'deleted all flags',
  'drop-feature-tags': 'deleted all tags of flags',
  'drop-projects': 'deleted all projects',
  'drop-strategies': 'deleted all strategy types',
  'drop-tags': 'deleted all tags',
  'drop-tag-types': 'deleted all tag types',
  'group-user-added': (event) => `added somebody to the group${quote(read(event, 'groupName'))}`,
  'group-user-removed': (event) => `removed somebody from the group${quote(read(event, 'groupName'))}`,
  'pat-created': (event) => `created ${describeToken(event)}`,
  'pat-deleted': (event) => `deleted ${describeToken(event)}`,
  'public-signup-token-created': named('created', 'invitation link'),
  'public-signup-token-updated': named('changed', 'invitation link'),
  'public-signup-token-user-added': 'signed up with an invitation link',
  'user-access-request-registered': 'asked for access',
  'user-access-request-approved': 'gave access to a person who asked for it',
  'user-access-request-rejected': 'turned down a request for access',
  'user-preference-updated': 'changed their preferences',
  'scim-groups-deleted': 'deleted the groups of SCIM',
  'scim-users-deleted': 'deleted the users of SCIM',
  'change-added': 'added a change to the change request',
  'change-edited': 'edited a change of the change request',
  'change-discarded': 'removed a change from the change request',
  'change-request-created': 'began a change request',
  'change-request-discarded': 'discarded a change request',
  'change-request-sent-to-review': (event) => `sent the change request${requestTitle(event)} for review`,
  'change-request-approval-added': (event) => `approved the change request${requestTitle(event)}`,
  'change-request-approved': (event) => `gave the last approval to the change request${requestTitle(event)}`,
  'change-request-rejected': (event) => `turned down the change request${requestTitle(event)}`,
  'change-request-cancelled': (event) => `cancelled the change request${requestTitle(event)}`,
  'change-request-applied': (event) => `applied the change request${requestTitle(event)}`,
  'change-request-scheduled': (event) => `scheduled the change request${requestTitle(event)}`,
  'change-request-schedule-suspended': (event) => `suspended the schedule of the change request${requestTitle(event)}`,
  'change-request-configuration-updated': 'changed the rules for change requests',
  'change-request-requested-approvers-updated': 'changed who is asked for approval',
  'change-request-scheduled-application-success': (event) =>
    `applied the scheduled change request${requestTitle(event)}`,
  'change-request-scheduled-application-failure': (event) =>
    `could not apply the scheduled change request${requestTitle(event)}`,
  'change-request-override-started': tellOverride,
  'change-request-override-ended': 'ended an override of approval',
  'change-request-override-reviewed': 'reviewed an override of approval',
  'milestone-progression-changed': (event) => `set the time of ${milestoneOf(event)}${intervalOf(event)}`,
  'milestone-progression-deleted': (event) => `removed the time of ${milestoneOf(event)}`,
  'release-plan-added': named('added', 'release plan'),
  'release-plan-removed': named('removed', 'release plan'),
  'release-plan-milestone-started': tellStart,
  'release-plan-progressions-paused': named('paused', 'release plan'),
  'release-plan-progressions-resumed': named('resumed', 'release plan'),
  'release-plan-template-archived': named('archived', 'release template'),
  'release-plan-template-revived': named('revived', 'release template'),
  'safeguard-changed': (event) =>
    `${event.preData === null ? 'added' : 'changed'} the safeguard${quote(describeSafeguard(event.data))}`,
  'safeguard-deleted': (event) => `removed the safeguard${quote(describeSafeguard(event.preData))}`,
  'safeguard-triggered': tellTrigger,
  'history-checkpoint-created': 'signed a checkpoint of the history',
  'client-metrics': 'reported metrics',
  'client-register': 'registered an application',
  'cdn-token-created': 'created a token of a CDN',
  'db-pool-update': 'changed the connections to the database',
  'remote-mcp-server-settings-updated': 'changed the settings of the MCP server',
};

/** All types of events. */
export const eventTypes = Object.keys(sentences) as readonly EventType[];

/** Types whose sentence already says, or does not depend on, the environment of the event. */
const withoutEnvironment = /^(?:environment|project-environment|feature-(?:created|archived|tagged))/;

/**
 * Writes an event as a sentence after the name of its author: "switched it off in production". It names the environment, and
 * neither the flag nor the project.
 */
export function tellEvent(event: ToldEvent): string {
  const sentence = sentences[event.type];
  const text = typeof sentence === 'string' ? sentence : sentence(event);
  const isNamed = event.environment === null || withoutEnvironment.test(event.type);
  return isNamed ? text : `${text} in ${event.environment}`;
}
