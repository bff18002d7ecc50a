import type { ErrorDetail } from '../errors.ts';

/** The members of a seed file, and by which of their properties no two entries may be alike. */
const identifying = {
  environments: ['name'],
  projects: ['id'],
  contextFields: ['name'],
  tagTypes: ['name'],
  strategies: ['name'],
  segments: ['id', 'name'],
  addons: ['id'],
  users: ['username', 'email'],
  groups: ['name'],
} as const;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Names each entry of a seed file that repeats an earlier one. It looks at the file as it was sent, so that these
 * problems show together with those of form.
 */
export function repeatedEntries(json: unknown): ErrorDetail[] {
  const members = entryOf(json);
  const repeated = Object.entries(identifying).flatMap(([member, properties]) =>
    properties.flatMap((property) =>
      repeatedValues(listOf(members[member]).map((entry) => scalar(entry[property]))).map(
        ({ value, index }): ErrorDetail => ({
          message: `There is an earlier entry with the ${property} "${value}".`,
          path: `${member}.${index}.${property}`,
        }),
      ),
    ),
  );
  return [...repeated, ...repeatedAddons(listOf(members.addons))];
}

/** Identifies addons without an id, so that a second run finds them. */
export function addonIdentity({ provider, description }: { provider?: unknown; description?: unknown }): string {
  return JSON.stringify([provider, description ?? null]);
}

function repeatedAddons(addons: readonly Entry[]): ErrorDetail[] {
  const identities = addons.map((addon) => (addon.id === undefined ? addonIdentity(addon) : undefined));
  return repeatedValues(identities).map(({ index }) => ({
    message: 'An earlier addon has the same provider and description; give them ids, or descriptions of their own.',
    path: `addons.${index}`,
  }));
}

function repeatedValues(values: readonly (string | number | undefined)[]) {
  const seen = new Set<string | number>();
  return values.flatMap((value, index) => {
    if (value === undefined) return [];
    if (seen.has(value)) return [{ value, index }];
    seen.add(value);
    return [];
  });
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function listOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value.map(entryOf) : [];
}

function entryOf(value: unknown): Entry {
  return typeof value === 'object' && value !== null ? (value as Entry) : {};
}
