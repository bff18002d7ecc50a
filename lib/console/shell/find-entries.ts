/** Something that one can jump to. */
export interface PaletteEntry {
  readonly kind: 'flag' | 'project' | 'page';
  readonly name: string;
  /** The project of a flag. */
  readonly hint: string;
  /** Further words that are searched. */
  readonly text: string;
  readonly to: string;
}

/** The pages of the console. */
export const pageEntries: readonly PaletteEntry[] = (
  [
    ['Flags', '/'],
    ['Reviews', '/reviews'],
    ['Events', '/events'],
    ['Now', '/now'],
    ['Integrations', '/integrations', 'webhook slack teams datadog'],
    ['Move from Unleash', '/move', 'migrate copy'],
    ['Export flags', '/move#export', 'copy'],
    ['Import flags', '/move#import', 'copy'],
    ['Settings', '/settings', 'maintenance cors origins'],
    ['Agents', '/settings#agents', 'mcp server'],
    ['Banners', '/settings#banners', 'message'],
    ['Limits and traffic', '/settings#instance', 'statistics version'],
    ['New flag', '/?create=true'],
    ['Archive', '/archive'],
    ['Playground', '/playground'],
    ['Segments', '/segments'],
    ['Release templates', '/release-templates', 'plans milestones rollout'],
    ['Applications', '/applications'],
    ['Impact metrics', '/impact-metrics', 'charts prometheus'],
    ['Trends', '/insights', 'insights analytics charts health technical debt'],
    ['Environments', '/environments'],
    ['Context fields', '/context'],
    ['Tag types', '/tag-types'],
    ['Projects', '/projects'],
    ['Tokens', '/tokens', 'api keys sdk'],
    ['Your tokens', '/tokens#yours', 'personal access'],
    ['Service accounts', '/tokens#service-accounts'],
    ['People', '/people', 'users'],
    ['Invite somebody', '/people/new', 'users'],
    ['Groups', '/people#groups'],
    ['Roles', '/people#roles', 'permissions rights'],
    ['You', '/me', 'profile password theme sessions'],
    ['How people sign in', '/sign-in', 'saml oidc sso password'],
    ['Accounts from a directory', '/sign-in#scim', 'scim okta entra provisioning'],
  ] as const
).map(([name, to, text = '']) => ({ kind: 'page', name, hint: '', text, to }));

/** The most entries that are shown. */
const foundMax = 9;

/**
 * Finds entries by words: all of them must be in the name or the text. Flags come before projects, these before pages, and entries
 * that only have the words in their text come last. Of a kind, names that begin with the search come first.
 */
export function findEntries(entries: readonly PaletteEntry[], search: string): PaletteEntry[] {
  const words = search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  const joined = words.join('-');
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words, joined) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, foundMax)
    .toSorted((a, b) => groupOf(a) - groupOf(b))
    .map(({ entry }) => entry);
}

function rankOf({ name, text }: PaletteEntry, words: readonly string[], joined: string): number {
  const [lower, further] = [name.toLowerCase(), text.toLowerCase()];
  if (lower.startsWith(joined)) return 0;
  if (words.every((word) => lower.includes(word))) return 1;
  return words.every((word) => lower.includes(word) || further.includes(word)) ? 2 : 3;
}

const kinds: readonly PaletteEntry['kind'][] = ['flag', 'project', 'page'];

const groupOf = ({ entry, rank }: { readonly entry: PaletteEntry; readonly rank: number }): number =>
  rank < 2 ? kinds.indexOf(entry.kind) : kinds.length;
