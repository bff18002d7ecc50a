import { fieldOf } from './selectors.ts';
import type { Walk } from './walk.ts';

const password = 'Another-horse-8-battery';
const sidebar = '[data-testid="SIDEBAR_MODAL_ID"]';

/** The link by which somebody adds themselves; it is made before they do. */
let invitation = '';

/** Steps of somebody who sets up users and tokens to work with. */
export const teamSteps: Walk = {
  async 'create a service account with a token'(visitor) {
    await visitor.open('/admin/service-accounts');
    await visitor.press('New service account');
    await visitor.write(fieldOf('Service account name'), 'Deployer');
    await visitor.write(fieldOf('Role'), 'Editor');
    await visitor.key('ArrowDown', 'Enter');
    await visitor.pressAt(`${sidebar} input[type=radio][value=now]`);
    await visitor.write(fieldOf('Description'), 'pipeline');
    await visitor.picture('create-service-account');
    await visitor.press('Add service account');
    await visitor.sees('Deployer');
    await visitor.picture('service-account-token');
    await visitor.open('/admin/service-accounts');
    await visitor.sees('Deployer');
    await visitor.sees('1 token');
    await visitor.picture('service-accounts');
  },
  async 'invite people'(visitor) {
    await visitor.open('/admin/users');
    await visitor.press('Create invite link');
    await visitor.picture('invite');
    await visitor.pressAt('form button[type=submit]');
    await visitor.picture('invitation');
    const { tokens } = (await visitor.ask('GET', '/api/admin/invite-link/tokens')) as { tokens: { url: string }[] };
    const { pathname, search } = new URL(tokens[0]?.url ?? '');
    invitation = `${pathname}${search}`;
  },
};

/** Steps of somebody who was invited. */
export const guestSteps: Walk = {
  async 'sign up by the invitation'(visitor) {
    await visitor.open(invitation);
    await visitor.picture('invited');
    await visitor.write(fieldOf('Email'), 'guest@example.com');
    await visitor.write(fieldOf('Full name'), 'Guest');
    await visitor.write('input[placeholder="Password"]', password, 50);
    await visitor.write('input[placeholder="Confirm password"]', password);
    await visitor.press('Submit');
    await visitor.arrives('/login');
  },
  async 'sign in as who was invited'(visitor) {
    await visitor.signIn('guest@example.com', password);
    await visitor.arrives(/^\/(?!login)/);
    await visitor.open('/projects');
    await visitor.sees('Shop');
    await visitor.picture('guest');
  },
};
