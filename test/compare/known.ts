import type { Difference } from './difference.ts';

/** Why a reply of ours is meant to be another than Unleash's. */
export interface Known {
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly kind?: Difference['kind'];
  readonly reason: string;
}

export const known: readonly Known[] = [
  {
    kind: 'added',
    reason:
      'A feature is answered whole by every operation, and other things with all that they have. Clients ignore what they do not know; the tests name each property that the document of Unleash does not allow.',
  },
  { path: /(^|\.)description$/, kind: 'value', reason: 'What is built in is described in words of our own.' },
  {
    path: /(^|\.)description$/,
    kind: 'type',
    reason:
      'A segment or a tag type without a description has an empty one, so that clients need not tell the two apart.',
  },
  { path: /imageUrl$/, kind: 'value', reason: 'Nobody is looked up at Gravatar.' },
  { path: /createdBy\.name$/, kind: 'value', reason: 'An admin token acts under its own name.' },
  { step: /^switch it/, path: /^$/, kind: 'type', reason: 'Clients that parse the reply find an empty object.' },
  {
    path: /environments\.\[\]\.(yes|no)$/,
    kind: 'missing',
    reason: 'How often a flag was asked for is answered by the operations of its metrics.',
  },
  {
    path: /^collaborators\./,
    reason:
      'A flag names who created it; its events tell who else has changed it, in a list that would grow with every user.',
  },
  {
    step: /^projects$/,
    path: /lastUpdatedAt/,
    reason: 'It is when the project itself was last changed; what happened to its flags is in its events.',
  },
  {
    step: /^feature types$/,
    path: /^types$/,
    kind: 'length',
    reason: 'A fresh store has the feature types of Unleash 6, of which the interface was taken.',
  },
  {
    step: /^strategy types$/,
    path: /^strategies$/,
    kind: 'length',
    reason: 'userWithId, which Unleash 7 leaves out of fresh stores, is here: exports of older servers use it.',
  },
  {
    step: /^environments/,
    path: /^environments$/,
    kind: 'length',
    reason:
      'The environment "default", which Unleash 7 leaves out of fresh stores, is here: exports of older servers name it.',
  },
  {
    path: /color$/,
    reason: 'Colors are answered where tag types and tags are listed; events keep tags without them.',
  },
  {
    path: /milestoneId$/,
    kind: 'missing',
    reason: 'There are no release plans.',
  },
  {
    step: /^(give it variants|variants of an environment)/,
    reason: 'Variants of an environment work here; Unleash 7 refuses new ones and reads the old ones.',
  },
  {
    step: /^overview of a project$/,
    path: /^(stats|updatedAt)/,
    reason: 'Unleash counts once an hour, which changes a project; here the numbers are those of the call.',
  },
  {
    step: /^overview of a project$/,
    path: /^onboardingStatus/,
    reason: 'A project counts as onboarded when its flags are used, and not when an application has connected.',
  },
  {
    step: /^what it is in an environment$/,
    path: /^name$/,
    kind: 'value',
    reason: 'The name is that of the environment, as the document of Unleash says and as the flag itself shows it.',
  },
  {
    step: /context field/,
    path: /sortOrder$/,
    kind: 'value',
    reason:
      'A context field keeps the place that an update gives it, which Unleash sets to 0; without one it gets that of Unleash 6.',
  },
  {
    step: /^search with status/,
    path: /environments$/,
    kind: 'length',
    reason:
      'A flag that is found shows all of its environments; Unleash leaves out those that the filter does not name.',
  },
  {
    step: /^search with offset/,
    path: /^total$/,
    kind: 'value',
    reason: 'The total is that of all pages, also on a page after the last one.',
  },
  {
    path: /(^|\.)lastSeenAt$/,
    reason: 'When a flag was last used is written once a minute.',
  },
  {
    path: /favorite$/,
    kind: 'value',
    reason: 'An admin token has favorites of its own; Unleash keeps none.',
  },
  {
    step: /^like (the flag|it no more)$/,
    kind: 'status',
    reason: 'An admin token has favorites of its own; Unleash answers 500.',
  },
  {
    step: /^history of/,
    path: /^(events|totalEvents)$/,
    reason:
      'Whatever changes has its event, and nothing else: Unleash leaves out the segments of a strategy, the favorites of an admin token and the environments that a revival switches off, and writes the removal of tags that a flag does not have.',
  },
  {
    step: /^create a token of no environment$/,
    kind: 'status',
    reason: 'What a body names and is not there is a 404, in every operation.',
  },
  {
    step: /^tokens by name$/,
    path: /secret$/,
    reason:
      'Of client tokens only a hash is kept, and lists show their beginning (READABLE_CLIENT_TOKENS changes that).',
  },
  {
    path: /dependencies\.\[\]\.variants$/,
    kind: 'missing',
    reason: 'SDKs take a parent without variants as one whose variants do not matter.',
  },
  { path: /^meta\./, reason: 'A revision counts the changes of this server, and an ETag is its own.' },
  {
    step: /^metrics of nothing$/,
    kind: 'status',
    reason:
      'Reports are taken whatever they say, as long as they name their application: SDKs send them again otherwise.',
  },
  {
    step: /^archive a parent$/,
    kind: 'status',
    reason: 'What is in use is a 409 here; the caller may well archive it.',
  },
  {
    step: /^switch the archived flag on$/,
    kind: 'status',
    reason: 'An archived flag is a 404 for every change but its revival, as it is for reads.',
  },
  {
    step: /^(archived flags|read the revived flag)$/,
    path: /lifecycle\.stage$/,
    reason: 'An archived flag is in the stage "archived" at once, and a revived one starts again with "initial".',
  },
  {
    step: /^features by a deleted token$/,
    kind: 'status',
    reason: 'A deleted token is refused within seconds; Unleash takes it for a minute or more.',
  },
];

export function reasonFor(step: string, { path, kind }: Difference): string | undefined {
  return known.find(
    (each) =>
      (each.step?.test(step) ?? true) &&
      (each.path?.test(path) ?? true) &&
      (each.kind === undefined || each.kind === kind),
  )?.reason;
}
