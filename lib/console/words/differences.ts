import { conditionValues } from '../../delivery/preview/condition-values.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { describeOperator } from './conditions.ts';
import { describeSafeguard } from './safeguards.ts';
import { describeMinutes, describeTime } from './times.ts';

/** A difference between two states of a thing, as a row of a table. */
export interface Difference {
  /** The name of the property in words. */
  readonly label: string;
  /** Text before the change; undefined for something that was added. */
  readonly before?: string;
  /** Text after the change; undefined for something that was removed. */
  readonly after?: string;
}

type State = Readonly<Record<string, unknown>> | null | undefined;

/** Properties that a reader does not look for: they follow from others, or never change. */
const hidden: ReadonlySet<string> = new Set([
  'id',
  'featureName',
  'createdAt',
  'sortOrder',
  'lastSeenAt',
  'changeRequest',
  'changeRequestId',
  'changeRequestTitle',
  // The page of the change request shows its changes and reviewers by name.
  'changes',
  'requestedApprovers',
  // Ids only.
  'projectRoles',
  'strategyIds',
  // Time travel reads them.
  'sortOrders',
  'index',
  'dependencies',
  'lastEvent',
  // It is for other consoles.
  'hideEventDetails',
  // The sentence about a revert names it.
  'to',
  // The sentence about a release plan names them.
  'discriminator',
  'releasePlanTemplateId',
  'activeMilestoneId',
  'milestoneId',
  'milestoneName',
  'sourceMilestone',
  'nextAt',
  'isByTime',
]);

/** Names of properties that differ from what people call them. */
const labels: Readonly<Record<string, string>> = {
  rollout: 'Rollout',
  url: 'URL',
  stickiness: 'Users told apart by',
  groupId: 'Group',
  constraints: 'Condition',
  segments: 'Segment',
  variants: 'Variant',
  impressionData: 'Impression data',
  disabled: 'Switched off',
  enabled: 'On',
  rootRole: 'Role',
  changeRequestsEnabled: 'Changes need approval',
  selfApproval: 'Own changes approved by',
  onDrift: 'If the same was changed meanwhile',
  overrideDelayMinutes: 'Override after',
  protected: 'Protected',
  intervalMinutes: 'Next milestone after',
  transitionCondition: 'Next milestone after',
  isOver: 'Over',
  mappingsSSO: 'Groups of single sign-on',
};

/** Names of the roles that come with Flagstaff; the names of others are not in events. */
const roleNames: Readonly<Record<string, string>> = {
  1: 'Admin',
  2: 'Editor',
  3: 'Viewer',
  4: 'Owner',
  5: 'Member',
  6: 'Reader',
  1000000000: 'Approver',
};

/** Values that people call by other words, by property. */
const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rootRole: roleNames,
  roles: roleNames,
  selfApproval: { never: 'nobody', admin: 'Admins' },
  onDrift: { refuse: 'it is not applied', overwrite: 'it is applied' },
  state: { Rejected: 'Turned down' },
};

const units: Readonly<Record<string, string>> = {
  rollout: '%',
  overrideDelayMinutes: ' minutes',
  intervalMinutes: ' minutes',
};

/** Properties whose numbers are ids. */
const idNames = /(?:Id|Ids)$|^(?:rootRole|roles|users|groups)$/;

/** Returns a value in the words of people; undefined for an id that says nothing to them. */
function reword(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => reword(name, each)).filter((each) => each !== undefined);
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const word = valueWords[name]?.[value];
  return word === undefined && typeof value === 'number' && idNames.test(name) ? undefined : (word ?? value);
}

/** Returns the name of a property in words: `appName` is "App name". */
export function describeProperty(name: string): string {
  if (name in labels) return labels[name] ?? name;
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the differences between the state before and after a change, property by property. */
export function listDifferences(before: State, after: State): Difference[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !hidden.has(name),
  );
  return names.flatMap((name) => compareProperty(name, reword(name, before?.[name]), reword(name, after?.[name])));
}

function compareProperty(name: string, before: unknown, after: unknown): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  // A new thing has many settings that are off or empty, and so has one that is removed; they say nothing.
  if ([before, after].every((value) => isNothing(value) || value === false)) return [];
  if (Array.isArray(before) || Array.isArray(after))
    return compareLists(name, (before ?? []) as unknown[], (after ?? []) as unknown[]);
  if (isObject(before) || isObject(after)) return listDifferences((before ?? {}) as State, (after ?? {}) as State);
  const unit = units[name] ?? '';
  const texts = [before, after].map((value) => (isNothing(value) ? undefined : `${describeValue(value)}${unit}`));
  return showsNothing(texts) ? [] : [buildDifference(describeProperty(name), texts[0], texts[1])];
}

/** Tells whether neither state has anything to show: an empty text differs from none for machines alone. */
const showsNothing = (texts: readonly (string | undefined)[]) => texts.every((text) => text === undefined);

/** Compares lists element by element: those that are in one list only are added or removed. */
function compareLists(name: string, before: readonly unknown[], after: readonly unknown[]): Difference[] {
  const [texts, others] = [before.map(describeValue), after.map(describeValue)];
  const label = describeProperty(name);
  const removed = texts.filter((text) => !others.includes(text));
  const added = others.filter((text) => !texts.includes(text));
  if (texts.length + others.length === 0) return [];
  if (removed.length === 0 && added.length === 0)
    return [buildDifference(label, texts.join(', ') || undefined, others.join(', ') || undefined)];
  return [
    ...removed.map((text) => buildDifference(label, text, undefined)),
    ...added.map((text) => buildDifference(label, undefined, text)),
  ];
}

function buildDifference(label: string, before: string | undefined, after: string | undefined): Difference {
  return { label, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Writes a value as people read it: a condition as a sentence, a variant with its share, a time as local text, everything else as JSON. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return isTimestamp.test(value) ? describeTime(value) : value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeValue).join('; ');
  if (value === undefined || value === null) return 'none';
  if (!isObject(value)) return JSON.stringify(value);
  if (typeof value.contextName === 'string' && typeof value.operator === 'string') {
    const condition = value as unknown as Constraint;
    return `${condition.contextName} ${describeOperator(condition)} ${conditionValues(condition).join(', ')}`;
  }
  if (typeof value.name === 'string' && Array.isArray(value.strategies)) return describeMilestone(value);
  if (typeof value.name === 'string' && typeof value.weight === 'number') {
    const payload = isObject(value.payload) ? `, ${String(value.payload.value)}` : '';
    return `${value.name} ${value.weight / 10}%${payload}`;
  }
  if (typeof value.intervalMinutes === 'number') return describeMinutes(value.intervalMinutes);
  if (isObject(value.parameters)) return describeShare(value);
  if (isObject(value.impactMetric)) return describeSafeguard(value);
  if (typeof value.type === 'string' && typeof value.value === 'string') return `${value.type}:${value.value}`;
  return JSON.stringify(value);
}

/** Writes a milestone: its name, the share of each strategy with its conditions, and when the next one starts. */
function describeMilestone({ name, strategies, transitionCondition }: Readonly<Record<string, unknown>>): string {
  const shares = (strategies as readonly Readonly<Record<string, unknown>>[]).map(describeShare);
  const interval = isObject(transitionCondition) ? `, for ${describeValue(transitionCondition)}` : '';
  return `${name}: ${shares.join(', ') || 'no strategy'}${interval}`;
}

function describeShare({ parameters, constraints }: Readonly<Record<string, unknown>>): string {
  const { rollout = 100 } = (parameters ?? {}) as { readonly rollout?: string };
  const conditions = Array.isArray(constraints) && constraints.length > 0 ? ` where ${describeValue(constraints)}` : '';
  return `${rollout}%${conditions}`;
}
