import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { markupSteps } from './markup.ts';
import { planSteps } from './plans.ts';
import { byId, dialog, fieldOf, named } from './selectors.ts';
import { guestSteps, teamSteps } from './team.ts';
import type { Visitor } from './visitor.ts';

/** Steps of a walk through the console by their titles, in their order. */
export type Walk = Readonly<Record<string, (visitor: Visitor) => Promise<void>>>;

/** Password of the user `admin` of the service that is walked through. */
export const adminPassword = 'Correct-horse-9-battery';

const archive = '/projects/shop?offset=0&archived=IS%3Atrue';
const flagPath = '/projects/shop/features/new-checkout';
const roleForm = '//*[@data-testid="SIDEBAR_MODAL_ID"]//input';

const flags: Walk = {
  async 'sign in'(visitor) {
    await visitor.open('/login');
    await visitor.picture('login');
    await visitor.signIn('admin', adminPassword);
    await visitor.press("Got it, let's get started!");
    await visitor.picture('signed-in');
  },
  async 'create a project'(visitor) {
    await visitor.open('/projects?create=true');
    await visitor.write(`${dialog} input`, 'Shop');
    await visitor.picture('create-project');
    await visitor.pressAt(byId('FORM_CREATE_BUTTON'));
    await visitor.arrives('/projects/shop');
    await visitor.sees('Welcome to your project');
    await visitor.picture('project');
  },
  async 'create an environment'(visitor) {
    await visitor.open('/environments');
    await visitor.picture('environments');
    await visitor.press('New environment');
    await visitor.write('form input', 'staging');
    await visitor.pressAt('input[value=test]');
    await visitor.picture('create-environment');
    await visitor.press('Create environment');
    await visitor.sees('staging');
    await visitor.open('/projects/shop/settings/environments');
    await visitor.picture('project-environments');
  },
  async 'edit the environment'(visitor) {
    await visitor.open('/environments/staging');
    await visitor.pressAt('input[type=radio][value=preproduction]');
    await visitor.picture('edit-environment');
    await visitor.press('Save');
    await visitor.arrives('/environments');
    await visitor.sees('preproduction');
  },
  async 'edit the project'(visitor) {
    await visitor.open('/projects/shop/settings');
    await visitor.write(`${byId('PROJECT_DESCRIPTION_INPUT')} textarea`, 'What we sell');
    await visitor.picture('edit-project');
    await visitor.pressAt(byId('EDIT_PROJECT_BTN'));
    await visitor.open('/projects');
    await visitor.open('/projects/shop/settings');
    await visitor.sees('What we sell');
  },
  async 'create a segment'(visitor) {
    await visitor.open('/segments/create');
    await visitor.write(`${byId('SEGMENT_NAME_ID')} input, input${byId('SEGMENT_NAME_ID')}`, 'testers');
    await visitor.picture('create-segment');
    await visitor.pressAt(byId('SEGMENT_NEXT_BTN_ID'));
    await visitor.pressAt(byId('SEGMENT_CREATE_BTN_ID'));
    await visitor.arrives(/^\/segments\/?$/);
    await visitor.picture('segments');
  },
  async 'create a flag'(visitor) {
    await visitor.open('/projects/shop');
    await visitor.press('New feature flag');
    await visitor.write(`${dialog} input`, 'new-checkout');
    await visitor.picture('create-flag');
    await visitor.pressAt(byId('FORM_CREATE_BUTTON'));
    await visitor.arrives('/projects/shop/features/new-checkout');
    await visitor.sees('Add strategy');
    await visitor.picture('flag');
  },
  async 'add a strategy with a constraint, a segment and a variant'(visitor) {
    await visitor.open(
      '/projects/shop/features/new-checkout/strategies/create?environmentId=development&strategyName=flexibleRollout',
    );
    await visitor.write('#title-input', 'A tenth');
    await visitor.picture('strategy');
    await visitor.tab('Targeting');
    await visitor.press('Select segments', 'combobox');
    await visitor.press('testers', 'option');
    await visitor.pressAt(byId('ADD_CONSTRAINT_BUTTON'));
    await visitor.picture('strategy-targeting');
    await visitor.pressAt(byId('CONSTRAINT_ADD_VALUES_BUTTON'));
    await visitor.write(`${byId('CONSTRAINT_VALUES_INPUT')} input`, 'alice,bob');
    await visitor.pressAt(byId('CONSTRAINT_VALUES_ADD_BUTTON'));
    await visitor.picture('strategy-constraint');
    await visitor.tab('Variants');
    await visitor.pressAt(byId('ADD_STRATEGY_VARIANT_BUTTON'));
    await visitor.write(`${byId('VARIANT_NAME_INPUT')} input`, 'blue');
    await visitor.picture('strategy-variants');
    await visitor.pressAt(byId('STRATEGY_FORM_SUBMIT_ID'));
    await visitor.arrives(flagPath);
    await visitor.sees('1 strategy added');
    await visitor.picture('flag-with-strategy');
  },
  async 'switch it on in development'(visitor) {
    await visitor.open(flagPath);
    await visitor.pressAt('input[aria-label=development]');
    await visitor.picture('flag-on');
  },
  async 'evaluate it in the playground'(visitor) {
    await visitor.open('/playground');
    await visitor.write('#environment', 'development');
    await visitor.key('ArrowDown', 'Enter', 'Escape');
    await visitor.press('Try configuration');
    await visitor.sees('new-checkout');
    await visitor.picture('playground');
  },
  async 'look for events by words, kind and project'(visitor) {
    await visitor.open('/history');
    await visitor.write(`main ${byId('SEARCH_INPUT')} input, input[placeholder^="Search (Ctrl"]`, 'new-checkout');
    await visitor.sees('new-checkout');
    await visitor.picture('events-by-words');
    await visitor.open('/history?type=IS_ANY_OF%3Asegment-created&project=IS%3Ashop');
    await visitor.sees('No events found');
    await visitor.open('/history?type=IS_ANY_OF%3Asegment-created');
    await visitor.sees('testers');
    await visitor.picture('events-by-kind');
  },
  async 'tag it'(visitor) {
    await visitor.open(flagPath);
    await visitor.press('Add tag');
    await visitor.picture('tag');
    await visitor.write('#checkboxes-tag', 'checkout-team');
    await visitor.key('ArrowDown', 'Enter');
    await visitor.pressAt(byId('DIALOGUE_CONFIRM_ID'));
    await visitor.sees('checkout-team');
    await visitor.picture('tagged');
  },
  async 'make it a favourite'(visitor) {
    await visitor.press('Favorite this feature flag');
    await visitor.open('/projects');
    await visitor.press('Add to favorites');
    await visitor.picture('favourites');
  },
  async 'edit it'(visitor) {
    await visitor.open(`${flagPath}/settings`);
    await visitor.picture('flag-settings');
    await visitor.open('/projects/shop/features/new-checkout/edit');
    await visitor.picture('edit-flag');
    await visitor.write('form textarea', 'The new way to pay');
    await visitor.press('Save');
    await visitor.picture('edited-flag');
  },
  ...looksAt({
    'the metrics of the flag': `${flagPath}/metrics`,
    'the logs of the flag': `${flagPath}/logs`,
    'the settings of the flag': `${flagPath}/settings`,
  }),
  async 'archive it'(visitor) {
    await visitor.open(flagPath);
    await visitor.pressAt('button:has([data-testid=ArchiveOutlinedIcon])');
    await visitor.picture('archive');
    await visitor.pressAt(byId('DIALOGUE_CONFIRM_ID'));
    await visitor.arrives('/projects/shop');
  },
  async 'revive it'(visitor) {
    await visitor.open(archive);
    await visitor.sees('new-checkout');
    await visitor.picture('archived-flags');
    await visitor.pressAt(byId('revive-feature-flag-button'));
    await visitor.pressAt(byId('DIALOGUE_CONFIRM_ID'));
    await visitor.open(flagPath);
    await visitor.sees('Add tag');
  },
  async 'delete it'(visitor) {
    await visitor.pressAt('button:has([data-testid=ArchiveOutlinedIcon])');
    await visitor.pressAt(byId('DIALOGUE_CONFIRM_ID'));
    await visitor.arrives('/projects/shop');
    await visitor.open(archive);
    await visitor.pressAt('[aria-label="Delete feature flag"] button');
    await visitor.write(`${dialog} input`, 'I want to delete');
    await visitor.picture('delete-flag');
    await visitor.pressAt(byId('DIALOGUE_CONFIRM_ID'));
  },
};

const people: Walk = {
  async 'create a user'(visitor) {
    await visitor.open('/admin/create-user');
    await visitor.write(named('Full name'), 'Alice');
    await visitor.write(named('Email'), 'alice@example.com');
    await visitor.write(fieldOf('Role'), 'Editor');
    await visitor.key('ArrowDown', 'Enter');
    await visitor.picture('create-user');
    await visitor.press('Create user');
    await visitor.picture('password-link');
    await visitor.open('/admin/users');
    await visitor.sees('alice@example.com');
    await visitor.picture('created-user');
  },
  async 'create a role'(visitor) {
    await visitor.open('/admin/roles');
    await visitor.press('New root role');
    await visitor.write(`::-p-xpath((${roleForm})[1])`, 'Auditor');
    await visitor.write(`::-p-xpath((${roleForm})[2])`, 'Sees who signs in');
    await visitor.pressAt(`::-p-xpath((${roleForm})[3])`);
    await visitor.picture('create-role');
    await visitor.press('Add role');
    await visitor.sees('Auditor');
    await visitor.picture('roles');
  },
  async 'create a group'(visitor) {
    await visitor.open('/admin/groups/create-group');
    await visitor.write('#group-name', 'Payments');
    await visitor.picture('create-group');
    await visitor.pressAt(byId('UG_CREATE_BTN_ID'));
    await visitor.arrives(/^\/admin\/groups\/\d+$/);
    await visitor.sees('Payments');
    await visitor.picture('group');
  },
  async 'let the group into the project'(visitor) {
    await visitor.open('/projects/shop/settings/access');
    await visitor.pressAt(byId('PA_ASSIGN_BUTTON_ID'));
    await visitor.write(`${byId('PA_USERS_GROUPS_ID')} input`, 'Payments');
    await visitor.key('ArrowDown', 'Enter', 'Escape');
    await visitor.write(`${byId('PA_ROLE_ID')} input`, 'Member');
    await visitor.key('ArrowDown', 'Enter');
    await visitor.picture('assign-access');
    await visitor.pressAt(byId('PA_ASSIGN_CREATE_ID'));
    await visitor.sees('Payments');
    await visitor.picture('project-access');
  },
  async 'show a banner to everybody'(visitor) {
    await visitor.open('/admin/banners');
    await visitor.press('New banner');
    await visitor.write('aside textarea, [role=dialog] textarea, form textarea', 'Maintenance tonight');
    await visitor.picture('create-banner');
    await visitor.press('Add banner');
    await visitor.sees('Maintenance tonight');
    await visitor.picture('banners');
    await visitor.open('/projects');
    await visitor.sees('Maintenance tonight');
    const { banners } = (await visitor.ask('GET', '/api/admin/banners')) as { banners: readonly { id: number }[] };
    for (const { id } of banners) await visitor.ask('DELETE', `/api/admin/banners/${id}`);
  },
  async 'create a token'(visitor) {
    await visitor.open('/admin/api/create-token');
    await visitor.write('input[name=tokenName]', 'shop-server');
    await visitor.picture('create-token');
    await visitor.press('Create token');
    await visitor.picture('created-token');
  },
  async 'look at the analytics'(visitor) {
    await visitor.open('/insights');
    await visitor.sees('Total number of flags');
    await visitor.picture('analytics');
  },
  async 'look at where the console would ask for feedback'(visitor) {
    await visitor.open('/projects/shop');
    await visitor.press('Project status');
    await visitor.sees('Project resources');
    await visitor.picture('project-status');
    const token = { tokenName: 'reporting', type: 'client', environment: 'development', projects: ['shop'] };
    const { secret } = (await visitor.ask('POST', '/api/admin/api-tokens', token)) as { secret: string };
    const report = {
      appName: 'till',
      instanceId: 'one',
      started: new Date().toISOString(),
      strategies: [],
      interval: 1,
    };
    await visitor.ask('POST', '/api/client/register', report, { authorization: secret });
    // Reports of SDKs are written some seconds later.
    for (let isWritten = false; !isWritten; await sleep(500)) {
      isWritten = JSON.stringify(await visitor.ask('GET', '/api/admin/metrics/applications')).includes('till');
    }
    await visitor.open('/applications/till');
    await visitor.sees('till');
    await visitor.picture('application');
  },
};

const tabs = {
  project: ['', '/change-requests', '/applications', '/logs'],
  settings: [
    ...['', '/access', '/environments', '/segments', '/context-fields', '/default-strategy', '/change-requests'],
    ...['/api-access', '/actions'],
  ],
  admin: [
    ...['', '/users', '/groups', '/roles', '/roles/project-roles', '/logins', '/service-accounts', '/api'],
    ...['/auth/oidc', '/auth/saml', '/auth/password', '/maintenance', '/instance', '/cors', '/invite-link'],
  ],
};

const pages = looksAt({
  'the dashboard': '/personal',
  'the flags of all projects': '/search',
  'the playground': '/playground',
  'the event log': '/history',
  'the applications': '/applications',
  'the context fields': '/context',
  'the strategy types': '/strategies',
  'the tag types': '/tag-types',
  'the integrations': '/integrations',
  'the change requests': '/change-requests',
  'the profile': '/profile',
  'the personal tokens': '/profile/personal-api-tokens',
  'the flag types': '/feature-toggle-type',
  'the archived projects': '/projects-archive',
  ...Object.fromEntries(
    [...tabs.project, ...tabs.settings.map((tab) => `/settings${tab}`)].map((tab) => [
      `the project: ${tab.slice(1).replace('/', ', ')}`,
      `/projects/shop${tab}`,
    ]),
  ),
  ...Object.fromEntries(tabs.admin.map((tab) => [`admin: ${tab.slice(1)}`, `/admin${tab}`])),
});

/** The addresses to which a page has links, those in folded parts of its menus among them. */
const links = `[...document.querySelectorAll('a[href^="/"]')].filter((each) => each.checkVisibility()).map((each) => each.getAttribute('href'))`;

/** The pages with menus, and what a complete menu says. */
const menus: Readonly<Record<string, string>> = { '/personal': 'Admin settings', '/admin': 'Service accounts' };

/** Least number of pages in the menus, so that menus that were not found are noticed. */
const placesMin = 25;

/** Title of the step that goes to each page to which the menus lead, and does nothing else. */
export const menuTitle = 'follow the menus';

const following: Walk = {
  async [menuTitle](visitor) {
    const places = new Set<string>();
    for (const [path, complete] of Object.entries(menus)) {
      await visitor.open(path);
      await visitor.sees(complete);
      for (const place of (await visitor.evaluate(links)) as string[]) places.add(place);
    }
    if (places.size < placesMin) throw new Error(`The menus have only ${[...places].join(', ')}.`);
    for (const place of places) {
      await visitor.open(place);
      await visitor.picture(`menu${place.replaceAll(/[^a-z]+/g, '-')}`);
    }
  },
};

/** Opens pages by their names, each of which has to be complete without a mistake. */
function looksAt(pages: Readonly<Record<string, string>>): Walk {
  const stepFor = ([name, path]: [string, string]): [string, Walk[string]] => [
    `look at ${name}`,
    async (visitor) => {
      await visitor.open(path);
      await visitor.picture(name.replaceAll(/[^a-z]+/g, '-'));
    },
  ];
  return Object.fromEntries(Object.entries(pages).map(stepFor));
}

/** Looks at forms that nothing else in the walk fills in. */
const forms: Walk = {
  async 'make changes in production need approval, and none again'(visitor) {
    await visitor.open('/projects/shop/settings/change-requests');
    await visitor.pressAt('input[aria-label=production]');
    await visitor.press('Enable');
    await visitor.sees('1 approval');
    await visitor.picture('change-request-settings');
    await visitor.pressAt('input[aria-label=production]');
    await visitor.press('Disable');
  },
  async 'see how many calls there were'(visitor) {
    await visitor.open('/admin/network/data-usage');
    await visitor.sees('Requests used in');
    if (!(await visitor.evaluate('/[1-9]\\S* requests/.test(document.body.innerText)')))
      throw new Error('None is shown.');
    await visitor.picture('data-usage');
  },
  async 'have a change sent to a webhook, and read what that answers'(visitor) {
    await using receiver = await Receiver.start();
    receiver.answer = () => ({ status: 400, body: 'no, thanks' });
    await visitor.open('/integrations/create/webhook');
    await visitor.sees('Signing secrets');
    await visitor.picture('integration');
    await visitor.write('input[name=url]', receiver.url);
    await visitor.write('input[placeholder="Select events to filter by"]', 'feature-created');
    await visitor.press('feature-created', 'option');
    await visitor.key('Escape');
    await visitor.press('Create');
    await visitor.arrives('/integrations');
    await visitor.ask('POST', '/api/admin/projects/default/features', { name: 'for-the-webhook' });
    await visitor.press('More actions');
    await visitor.press('View events', 'menuitem');
    await visitor.sees('status code 400: no, thanks');
    await visitor.picture('integration-events');
    await visitor.ask('DELETE', '/api/admin/addons/1');
  },
};

const leaving: Walk = {
  async 'sign out'(visitor) {
    await visitor.open('/profile');
    await visitor.pressAt(byId('HEADER_USER_AVATAR'));
    await visitor.press('Log out');
    await visitor.picture('signed-out');
  },
};

/** The walk of a team, from signing in to the first steps of a guest. */
export const walk: Walk = {
  ...flags,
  ...people,
  ...teamSteps,
  ...pages,
  ...forms,
  ...planSteps,
  ...following,
  ...markupSteps,
  ...leaving,
  ...guestSteps,
};
