import type { Event } from '../../events/event-schema.ts';
import { describeEvent, escapeMarkdown, type KindOfName, type SentencePart } from '../../events/event-summary.ts';
import { describeStrategyChanges } from './strategy-changes.ts';

/** A text for people about an event, with a link to its page. */
export interface Message {
  readonly text: string;
  /** Missing if this service does not know its own address. */
  readonly link?: string;
}

/** The markup of a chat. */
interface Dialect {
  readonly escaped: (text: string) => string;
  readonly strong: (name: string, link: string | undefined) => string;
}

const markdown: Dialect = {
  escaped: escapeMarkdown,
  strong: (name, link) => (link === undefined ? `**${name}**` : `**[${name}](${link})**`),
};

const slack: Dialect = {
  escaped: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  strong: (name, link) => (link === undefined ? `*${name}*` : `*<${link}|${name}>*`),
};

const dialects = { markdown, slack };

/**
 * Describes an event for people: the sentence of the event log with links, and the differences of a strategy.
 * @param publicUrl the address of this service, without a slash at its end; undefined for no links.
 */
export function messageOf(event: Event, dialect: keyof typeof dialects, publicUrl: string | undefined): Message {
  const { escaped, strong } = dialects[dialect];
  const shown = (part: SentencePart) =>
    typeof part === 'string' ? part : strong(escaped(part.name), linkOf(event, part.kind, publicUrl));
  const changes = event.type === 'feature-strategy-update' ? describeStrategyChanges(event.preData, event.data) : [];
  const more = changes.length === 0 ? '' : `: ${changes.map(escaped).join('; ')}`;
  const link = linkOf(event, subjectOf(event), publicUrl);
  return { text: describeEvent(event).map(shown).join('') + more, ...(link !== undefined && { link }) };
}

function subjectOf({ type, featureName }: Event): KindOfName {
  if (/^change-(?!request-configuration)/.test(type)) return 'change request';
  return featureName === null ? 'thing' : 'feature';
}

/** The pages of things other than features, by the prefix of the event type. */
const pages: Readonly<Record<string, string>> = {
  addon: '/integrations',
  'api-token': '/admin/api',
  banner: '/admin/message-banners',
  'context-field': '/context',
  group: '/admin/groups',
  'project-archived': '/projects-archive',
  project: '/projects',
  segment: '/segments',
  'service-account': '/admin/service-accounts',
  user: '/admin/users',
};

function linkOf(
  { type, project, featureName, data }: Event,
  kind: KindOfName,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl === undefined) return undefined;
  const projectUrl = project === null ? undefined : `${publicUrl}/projects/${encodeURIComponent(project)}`;
  if (kind === 'project') return projectUrl;
  if (kind === 'change request') return projectUrl && `${projectUrl}/change-requests/${data?.changeRequestId}`;
  if (kind === 'feature' && featureName !== null) {
    if (type === 'feature-archived') return `${projectUrl ?? publicUrl}/archive`;
    if (type === 'feature-deleted') return projectUrl;
    const page = type === 'feature-environment-variants-updated' ? '/variants' : '';
    return projectUrl && `${projectUrl}/features/${encodeURIComponent(featureName)}${page}`;
  }
  if (kind !== 'thing') return undefined;
  const page = Object.keys(pages).find((start) => `${type}-`.startsWith(`${start}-`));
  return page === undefined ? projectUrl : `${publicUrl}${pages[page]}`;
}
