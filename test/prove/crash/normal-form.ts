import { tableDefinition } from '../../../lib/store/client/definition.ts';
import { eventsIn, type Item, isEvents, type StoredEvent } from '../../harness/items.ts';

/**
 * Contents of a table by owner, without the values that differ from run to run: "feature checkout" has its items, its
 * events, its place in the archive and its name at its parents; "tag type team" its item and its event.
 */
export type NormalForm = ReadonlyMap<string, readonly string[]>;

/** Owner of change requests and of their events: while one is applied, it notes what is done. */
export const progress = 'change requests';

/** They leave with the clock, which may bring them about itself. */
export const mails = 'waiting mails';

/** Two that speak for all that a request has done: the event that ends an import, and the answer kept under its key. */
export const lastOfAll = ['end of an import', 'kept answer'];

const random =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{32})\b|(?<=token=)[\w.-]+|(?<="id\\?":\\?")[0-9a-f]{16}|(?<="beginning":"(?:user:)?)[0-9a-f]+|(?<=TOKENS#)[0-9a-f]|(?<=\$scrypt\$)[\w=,$+/]+|(?<![\w-])[\w-]{43}(?![\w-])/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Time of creation, from which versions count up. */
const creation = /\b1\d{12}(?=\d{3}\b)/g;

/**
 * Ids that a counter has given out have gaps: in a key, as a property, at the end of a location, and in the name of a holder
 * or a group.
 */
const numbered =
  /\b\d{16}\b|(?<="(?:id|number|userId|groupId|activeSessions)\\?":)\d+|(?<=\/)\d+(?=\\?")|(?<="groups":"\[)\d+|(?<=the (?:group|service account|user) )\d+|(?<=change-request-)\d+|(?<=(?:user|group)-)\d+(?=\\?")|(?<="changeRequestId":)\d+/g;

/** The rest of the time of a milestone, and the times at which members joined. */
const interval = /(?<="restMs\\?":)\d+|(?<="intervals\\?":\[)[\d,]+/g;

/** Time of the sign-in before: never, for the first try of a repeated sign-in. */
const before = /(?<="seenAt\\*":)(?:null|\\*"<time>\\*")/g;

/**
 * Removes random ids, ids from counters, times, and hashes of them from a text. `prove:history` verifies the links of events after kills.
 */
export function normalText(text: string): string {
  return text
    .replaceAll(random, '<id>')
    .replaceAll(creation, '<creation>')
    .replaceAll(numbered, '<number>')
    .replaceAll(time, '<time>')
    .replaceAll(interval, '<interval>')
    .replaceAll(before, '<before>');
}

/** JSON with the properties in alphabetical order: the store gives the attributes of an item in any order. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member !== 'object' || member === null || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}

export function normalForm(items: readonly Item[]): NormalForm {
  const owned = items.flatMap((item) => {
    const owner = ownerOf(item);
    return owner === undefined ? [] : [{ owner, text: itemText(item) }];
  });
  const groups = Map.groupBy(owned, ({ owner }) => owner);
  return new Map([...groups].map(([owner, group]) => [owner, group.map(({ text }) => text).toSorted()]));
}

/**
 * Event ids have gaps and marks are random, so that neither they nor what is made of them can be compared. When somebody was
 * seen last is noted beside the request.
 */
function itemText({
  pk,
  sk,
  lastEventId: _lastEventId,
  firstEventId: _firstEventId,
  firstId: _firstId,
  mark: _mark,
  seenAt: _seenAt,
  [tableDefinition.timeToLive]: _expiry,
  ...rest
}: Item): string {
  // Their version is random.
  if (pk === 'SENDING') return normalText(`${pk} ${sk} ${orderedJson({ ...rest, version: undefined })}`);
  // How often features have received a tag is a sum of theirs.
  if (pk.startsWith('TAGS#')) return normalText(`${pk} ${sk}`);
  if (pk.startsWith('REQUEST#')) return normalText(`${pk} ${sk} ${orderedJson(withOrderedText(rest))}`);
  if (!isEvents(pk)) return normalText(`${pk} ${sk} ${orderedJson(sk === 'FEATURE' ? withoutChildren(rest) : rest)}`);
  const events = eventsIn(rest as Item).map(({ id: _id, ...event }) => event);
  const about = rest.about === undefined ? {} : { about: aboutWithoutIds(String(rest.about)) };
  return normalText(`events ${orderedJson({ ...rest, ...about, events })}`);
}

/**
 * Removes the ids of events from the part of an item that the list of all events shows: the author, and each event with
 * its id first.
 */
function aboutWithoutIds(about: string): unknown {
  return JSON.parse(about).map((part: unknown) => (Array.isArray(part) ? part.slice(1) : part));
}

/** Parses the text of a kept answer if it is JSON: its properties come in any order, as those of an item do. */
function withOrderedText({ text, ...rest }: Record<string, unknown>) {
  return { ...rest, text: /^[{[]/.test(String(text)) ? JSON.parse(String(text)) : text };
}

/**
 * Removes the count of children and the version from a parent: a change of a child raises them, and says nothing about
 * the parent.
 */
function withoutChildren({ childCount: _children, version: _version, ...rest }: Record<string, unknown>) {
  return rest;
}

/**
 * Undefined for what can only be judged as a sum, or not at all: the counts, the attempts to sign in, the marks, the ids
 * that were given out, the nonces of signed requests, seals, and the notes that a keyed request makes for its repeat. What has no
 * rule here belongs to a whole that no request changes in pieces.
 */
function ownerOf(item: Item): string | undefined {
  const { pk, sk } = item;
  const [kind = '', name = '', part] = pk.split('#');
  switch (kind) {
    case 'FEATURE':
      return `feature ${sk.startsWith('CHILD#') ? sk.slice('CHILD#'.length) : name}`;
    case 'PROJECT':
      if (part === 'CHANGE_REQUESTS') return progress;
      if (part === 'FEATURES') return sk.startsWith('MARK#') ? undefined : `feature ${sk.split('#').at(-1)}`;
      return part === 'ARCHIVE' ? `feature ${sk.slice(sk.indexOf('#') + 1)}` : `project ${name}`;
    case 'ENVIRONMENTS':
      return sk.startsWith('COUNTS#') ? undefined : 'environments';
    case 'ATTEMPTS':
    case 'COUNTER':
    case 'NONCES':
    case 'TAGS_MADE':
    case 'TRAFFIC':
    // The clock seals what others have done.
    case 'SEALS':
    case 'SEAL':
      return undefined;
    case 'TAG_TYPES':
      return `tag type ${sk}`;
    case 'CONTEXT_FIELDS':
      return `context field ${sk}`;
    case 'TAGS':
      return `tag ${name} ${sk}`;
    case 'EVENTS':
      return ownerOfEvent(eventsIn(item)[0]);
    case 'CHANGE_REQUEST':
    case 'SCHEDULES':
    case 'EXPIRIES':
    case 'ALARMS':
      return progress;
    case 'MAILS':
      return mails;
    case 'SEGMENTS':
      return 'segments';
    case 'REFERRERS':
      return sk.startsWith('COUNT#') ? undefined : 'all else';
    case 'REQUEST':
      return sk === 'ANSWER' && 'status' in item ? 'kept answer' : undefined;
    default:
      return 'all else';
  }
}

function ownerOfEvent(event: StoredEvent | undefined): string | undefined {
  const { type, project, data } = event ?? { type: '', project: null, data: null };
  // It has the number of those that this request has deleted. Each of them has an event of its own.
  if (type === 'scim-users-deleted' || type === 'scim-groups-deleted') return undefined;
  if (type === 'tag-type-created') return `tag type ${data?.name}`;
  if (type === 'context-field-created') return `context field ${data?.name}`;
  if (type === 'tag-created') return `tag ${data?.type} ${data?.value}`;
  if (type.startsWith('change-')) return progress;
  if (type.startsWith('segment-')) return 'segments';
  if (type === 'features-imported') return 'end of an import';
  return project === null ? 'all else' : `project ${project}`;
}
