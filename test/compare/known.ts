import type { Difference } from './difference.ts';

/** Differences from Unleash's replies that are intended, each with its reason. */
const known: readonly {
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly kind?: Difference['kind'];
  readonly reason: string;
}[] = [
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
    reason: 'Changes of the project itself count, too, so that a project without flags also has a time.',
  },
  {
    path: /featureTypeCounts\.\[\]\.type$/,
    kind: 'value',
    reason: 'Unleash counts the types in the order in which its database finds them.',
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
  { path: /milestoneId$/, kind: 'missing', reason: 'There are no release plans.' },
  {
    step: /^(give it variants|(patch )?variants of an environment)/,
    reason: 'Variants of an environment work here; Unleash 7 refuses new ones and reads the old ones.',
  },
  {
    step: /^overview of a project$/,
    path: /^(stats|updatedAt)/,
    reason: 'Unleash counts once an hour, which changes a project; here the numbers are those of the call.',
  },
  {
    step: /^(overview of a project|my dashboard of a project)$/,
    path: /^onboardingStatus/,
    reason: 'A project counts as onboarded when its flags are used, and not when an application has connected.',
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
  { path: /(^|\.)lastSeenAt$/, reason: 'When a flag was last used is written once a minute.' },
  { path: /favorite$/, kind: 'value', reason: 'An admin token has favorites of its own; Unleash keeps none.' },
  {
    step: /^like (the flag$|it no more$|a project)/,
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
    step: /^tokens( by name)?$/,
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
    step: /^metrics of (nothing|several applications)$/,
    kind: 'status',
    reason:
      'What is wrong with a part of a report is left out, and a report of nothing is taken: an SDK that is refused never reports again.',
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
  {
    step: /^(create a token of no environment|an order of an unknown environment|environments of an unknown project|add an unknown one)$/,
    kind: 'status',
    reason: 'What a path or a body names and is not there is a 404, in every operation.',
  },
  {
    step: /^a default strategy in no environment$/,
    kind: 'status',
    reason: 'An unknown environment is a 404; Unleash answers 500.',
  },
  {
    step: /^(one project|archived flags of a project|permissions)$/,
    kind: 'status',
    reason: 'Unleash 7.6 has it in its Enterprise edition only, or had it before.',
  },
  {
    step: /^(health|insights|status) of a project$/,
    path: /^(stats|lifecycleSummary|activityCountByDate)/,
    reason: 'Unleash counts once an hour; here the numbers are those of the call, and of every event.',
  },
  {
    step: /^health of a project$/,
    path: /^features\.\[\]/,
    kind: 'value',
    reason: 'Flags stand in the order of their names.',
  },
  {
    step: /^my (profile|roles|dashboard)/,
    path: /^(projects$|roles\.\[\]\.project$)/,
    reason:
      'The projects of a person are those in which they have a role, or all where their rights hold in all; Unleash counts everybody to "default".',
  },
  { step: /^my profile$/, path: /^subscriptions$/, reason: 'No reports are mailed.' },
  {
    step: /^my dashboard of a project$/,
    path: /^latestEvents$/,
    reason: 'Whatever changes has its event, and nothing else, so that the newest ones are others.',
  },
  {
    step: /^my dashboard of a project$/,
    path: /^insights\.avgHealthCurrentWindow$/,
    reason: 'The health of this moment stands for that of some weeks, where Unleash has none: its admin UI shows it.',
  },
  { step: /^validate a link$/, path: /^createdBy$/, reason: 'Who made a link is in the event log only.' },
  {
    step: /^a mail with a link$/,
    kind: 'status',
    reason: 'Unleash makes one link a minute for a user; here the attempts from everywhere are limited together.',
  },
  {
    step: /^an application$/,
    path: /^(strategies\.\[\]|instances|seenToggles|links)$/,
    reason: 'Strategies are named, as the document of Unleash says; instances and flags have operations of their own.',
  },
  {
    step: /^instances of an application$/,
    path: /sdkVersion$/,
    kind: 'missing',
    reason: 'Of an instance only what is known is answered.',
  },
  {
    step: /^(overview of an application|metrics of applications)/,
    reason: 'What SDKs report is written once a minute.',
  },
  {
    step: /^(an application|instances of an application)$/,
    kind: 'length',
    reason: 'Unleash writes registrations some seconds later.',
  },
  {
    step: /^(applications of a project|lifecycle (of a flag|counts)|applications)$/,
    reason: 'What SDKs report is written once a minute; of an application only what is known is answered.',
  },
  {
    step: /^tokens of a project$/,
    kind: 'length',
    reason: 'To an admin token Unleash lists the tokens of all projects; to everybody else it does what is done here.',
  },
  { step: /^who makes flags in a project$/, path: /name$/, reason: 'An admin token acts under its own name.' },
  {
    step: /^addons and their providers$/,
    path: /^providers/,
    reason: 'What providers take is the same; the words that explain it, and the order of events, are our own.',
  },
  {
    step: /^(create|update) an addon$/,
    path: /^parameters\./,
    kind: 'value',
    reason: 'No reply shows what is secret in the parameters of an addon.',
  },
  {
    step: /^(the newest events|events of a project)$/,
    path: /^(events|totalEvents)(\.|$)/,
    reason: 'The page is as long as `limit` says, which Unleash ignores here, and whatever changes has its event.',
  },
  { step: /^events with/, path: /groupId$/, kind: 'value', reason: 'A group has the id of its first event.' },
  {
    step: /^events with/,
    path: /summary$/,
    kind: 'value',
    reason: 'A summary says what happened in words of our own, without links: the service does not know its address.',
  },
  { step: /^create the user again$/, kind: 'status', reason: 'A name in use is a 409, in every operation.' },
  {
    step: /^(sign in|who am I)$/,
    path: /activeSessions$/,
    kind: 'value',
    reason: 'The sessions of this user alone are counted.',
  },
  {
    step: /^permissions of a user$/,
    reason: 'Permissions stand in the order of their ids; of a user is answered what is known.',
  },
  {
    path: /(inviteLink|resetPasswordUrl|(^|\.)url)$/,
    kind: 'value',
    reason: 'A link begins with the address under which the service was asked.',
  },
  { step: /^validate an import$/, path: /message$/, kind: 'value', reason: 'Warnings are in words of our own.' },
  { step: /^import (flags|into no project)$/, kind: 'status', reason: 'Admin tokens may import.' },
  {
    step: /^statistics( as CSV)?$/,
    reason: 'The numbers are of what is here, at the time of the call; of what is not here there are none.',
  },
  {
    step: /^settings of the UI$/,
    path: /^(environment|flags|version|versionInfo|resourceLimits)(\.|$)/,
    reason:
      'It shows the pages of the Enterprise edition that are served here, the version and the limits of this service.',
  },
  {
    step: /^settings of the UI$/,
    path: /^unleashUrl$/,
    kind: 'value',
    reason: 'It is the address under which the service was asked.',
  },
  {
    step: /^try /,
    path: /links\.edit$/,
    kind: 'value',
    reason: 'The link names the strategy, whose id is of this server.',
  },
  {
    step: /^streaming$/,
    kind: 'status',
    reason: 'Open-source Unleash has no stream of changes; here, SDKs may listen.',
  },
  { step: /^delta$/, reason: 'Open-source Unleash has no changes since a state; here, SDKs may poll for them.' },
];

export function reasonFor(step: string, { path, kind }: Difference): string | undefined {
  return known.find(
    (each) =>
      (each.step?.test(step) ?? true) &&
      (each.path?.test(path) ?? true) &&
      (each.kind === undefined || each.kind === kind),
  )?.reason;
}
