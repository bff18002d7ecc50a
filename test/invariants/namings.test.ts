import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namings } from './namings.ts';

/** Matches a check that something exists, or is still as it was: the transaction then names it. */
const checks = /(?:buildExistenceCheck\([^;]*?|\btarget: |\bcheck: )(?:(?:k|\w+K)eys\.(\w+)|(\w+)\.keyOf)\(/g;

/** Matches a use of the check that a project exists, which all rooms share. */
const projectChecks = /\bbuildProjectCheck\b(?=[()])/;
const fileOfProjectCheck = 'lib/projects/projects.ts';

/** Entities of which the keys have another name than the things. */
const otherNames: Readonly<Record<string, string>> = { customRoles: 'role' };

/** Returns the name of what a key leads to, from the name of the key or of the entity that has it. */
function nameOfTarget(key: string | undefined, entity = ''): string {
  return key ?? otherNames[entity] ?? entity.replace(/s$/, '');
}

/** Checks of another kind, each with what it is about. */
const others = new Set([
  // That nothing is left of an earlier thing of the name.
  'lib/provisioning/removal.ts: removal',
  // Conditions on what is changed itself.
  'lib/features/strategies/default-strategy.ts: defaultStrategy',
  'lib/settings/settings.ts: setting',
  'lib/sign-in/invitations.ts: invitation',
  // That the feature whose plan waits, or whose safeguard gets a token, is still as it was read.
  'lib/release-plans/start-due-milestones.ts: feature',
  'lib/safeguards/signals.ts: feature',
  // The source of a clone, which the clone does not name.
  'lib/features/clone-feature.ts: feature',
  // How somebody signs in goes with them: it has their id as its key.
  'lib/sign-in/passwords/links.ts: user',
  'lib/sign-in/own-address.ts: user',
  'lib/sign-in/passwords/passwords.ts: user',
  'lib/sign-in/sign-in.ts: user',
  // That the way in has not ended by which somebody gives another one.
  'lib/sign-in/sessions.ts: session',
  'lib/identity/tokens/tokens.ts: token',
  // That another Admin stays.
  'lib/people/administer-users.ts: user',
  // That segments are what was approved; the strategies that use them have a check of their own.
  'lib/change-requests/plan/plan.ts: segment',
  // A plan is a copy: it outlives its template if its feature was archived or has moved.
  'lib/features/strategies/strategy-references.ts: releaseTemplate',
  // Change requests of a project are deleted with it.
  'lib/change-requests/override.ts: project',
  // That an override is under way, which ends by itself.
  'lib/identity/access-flags/approval-gate.ts: override',
  // Requests to an addon end with it.
  'lib/integrations/ask-again.ts: addon',
  // That a copied table is not sent from yet.
  'lib/integrations/sending/state.ts: senderState',
  // A command of the operator's, for one user.
  'lib/people/ensure-user.ts: project',
]);

test('Everything that a transaction of lib checks to be there is named and deleted by the proof', () => {
  const inLib = globSync('lib/**/*.ts', { exclude: ['lib/entity/**', 'lib/migrations/**', 'lib/store/**'] });
  const checked = inLib
    .filter((file) => file !== fileOfProjectCheck)
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const named = [...text.matchAll(checks)].map(([, key, entity]) => `${file}: ${nameOfTarget(key, entity)}`);
      return projectChecks.test(text) ? [...named, `${file}: project`] : named;
    });
  const proven = namings.flatMap(({ to, checkedIn = [] }) => checkedIn.map((file) => `${file}: ${to}`));
  expect([...new Set([...proven, ...others])].toSorted()).toEqual([...new Set(checked)].toSorted());
});
