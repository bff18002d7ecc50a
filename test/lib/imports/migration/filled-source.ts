import type { Get } from '../../../../lib/imports/migration/reading.ts';
import type { Service } from '../../../harness/service.ts';

/** Reads a service of this process like a server on the network. */
export function getFrom(service: Service): Get {
  return async (path) => {
    const { status, body } = await service.get(path);
    return { status, body: status === 200 ? body : undefined };
  };
}

function senderTo(service: Service) {
  return async (method: string, path: string, body?: unknown) => {
    const reply = await service.call(method, `/api/admin/${path}`, { ...(body !== undefined && { body }) });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
}

/** Fills a service with things of every kind that a migration imports. */
export async function fillSource(service: Service): Promise<void> {
  const send = senderTo(service);
  await send('POST', 'environments', { name: 'staging', type: 'preproduction', sortOrder: 9 });
  const role = await send('POST', 'roles', {
    name: 'Releaser',
    description: 'Switches',
    type: 'custom',
    permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'staging' }, { name: 'CREATE_FEATURE' }],
  });
  const alice = await send('POST', 'user-admin', {
    username: 'alice',
    email: 'alice@example.com',
    name: 'Al',
    rootRole: 2,
  });
  const bob = await send('POST', 'user-admin', { email: 'bob@example.com', rootRole: 3 });
  await send('POST', 'service-account', { username: 'service-ci', name: 'CI', rootRole: 2 });
  const group = await send('POST', 'groups', {
    name: 'Shopkeepers',
    description: 'All',
    mappingsSSO: ['shop'],
    rootRole: 3,
    users: [{ user: { id: alice.id } }, { user: { id: bob.id } }],
  });
  await send('POST', 'projects', {
    id: 'shop',
    name: 'Shop',
    description: 'Sells',
    mode: 'private',
    defaultStickiness: 'userId',
    environments: ['development', 'staging'],
  });
  await send('PUT', 'projects/shop/settings', {
    mode: 'private',
    featureNaming: { pattern: '[a-z-]+', example: 'new-cart', description: 'small' },
    linkTemplates: [{ title: 'Ticket', urlTemplate: 'https://example.com/{{feature}}' }],
  });
  await send('POST', 'projects', { id: 'closed', name: 'Closed', environments: ['production'] });
  await send('POST', 'projects/shop/access', { roles: [role.roles.id], users: [bob.id], groups: [group.id] });
  await send('POST', 'projects/shop/access', { roles: [4], users: [alice.id], groups: [] });
  await send('POST', 'context', {
    name: 'country',
    description: 'Where',
    stickiness: true,
    legalValues: [{ value: 'NZ', description: 'New Zealand' }, { value: 'CH' }],
  });
  await send('POST', 'projects/shop/context', { name: 'cart' });
  await send('POST', 'tag-types', { name: 'team', description: 'Who', icon: 'T', color: '#FF0000' });
  await send('POST', 'tags', { type: 'team', value: 'unused' });
  await send('POST', 'strategies', {
    name: 'storeHours',
    parameters: [{ name: 'hours', type: 'string', required: true }],
  });
  await send('POST', 'segments', { name: 'unused', constraints: [] });
  await send('POST', 'segments', {
    name: 'swiss',
    description: 'CH',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
  });
  await send('DELETE', 'segments/1');
  await send('POST', 'segments', { name: 'shoppers', project: 'shop', constraints: [] });
  await send('PUT', 'feature-types/release/lifetime', { lifetimeDays: 30 });
  await send('POST', 'projects/shop/environments/staging/default-strategy', {
    name: 'flexibleRollout',
    title: 'careful',
    parameters: { rollout: '10', stickiness: 'userId', groupId: 'g' },
    segments: [3],
  });
  const shop = 'projects/shop/features';
  for (const name of ['parent', 'cart', 'search', 'old', 'gone', 'again']) {
    await send('POST', shop, { name, type: 'experiment', description: `The ${name}`, impressionData: name === 'cart' });
  }
  await send('POST', `${shop}/cart/environments/staging/strategies`, {
    name: 'flexibleRollout',
    title: 'half',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['NZ'], inverted: true, caseInsensitive: false }],
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'cart' },
    segments: [2, 3],
    variants: [
      { name: 'a', weight: 500, weightType: 'variable', stickiness: 'userId', payload: { type: 'json', value: '{}' } },
      { name: 'b', weight: 500, weightType: 'variable', stickiness: 'userId' },
    ],
  });
  await send('POST', `${shop}/cart/environments/staging/strategies`, {
    name: 'storeHours',
    disabled: true,
    parameters: { hours: '8-18' },
  });
  await send('POST', `${shop}/cart/environments/staging/on`);
  await send('PUT', `${shop}/cart/environments/development/variants`, [
    {
      name: 'x',
      weight: 1000,
      weightType: 'variable',
      stickiness: 'default',
      overrides: [{ contextName: 'userId', values: ['7'] }],
    },
  ]);
  await send('POST', 'features/cart/tags', { type: 'team', value: 'ops' });
  await send('POST', 'features/cart/tags', { type: 'simple', value: 'big' });
  for (const page of ['one', 'two']) await send('POST', `${shop}/cart/link`, { url: `https://example.com/${page}` });
  await send('POST', `${shop}/search/dependencies`, { feature: 'parent', enabled: true, variants: [] });
  await send('POST', `${shop}/search/lifecycle/complete`, { status: 'kept' });
  await send('PUT', `${shop}/search`, { stale: true });
  await send('POST', `${shop}/old/environments/staging/strategies`, { name: 'default', segments: [2] });
  await send('POST', `${shop}/old/environments/staging/on`);
  await send('DELETE', `${shop}/old`);
  for (const name of ['gone', 'again']) {
    await send('DELETE', `${shop}/${name}`);
    await send('DELETE', `archive/${name}`);
  }
  await send('POST', shop, { name: 'again' });
  await send('POST', 'projects/archive/closed');
  const secret = (type: string, projects: string[], environment: string) =>
    send('POST', 'api-tokens', { tokenName: `${type} ${projects}`, type, environment, projects });
  await secret('client', ['shop'], 'staging');
  await secret('backend', ['shop', 'default'], 'development');
  await secret('client', ['*'], 'production');
  await secret('frontend', ['shop'], 'development');
  await send('POST', 'addons', {
    provider: 'webhook',
    enabled: true,
    description: 'hook',
    parameters: { url: 'https://example.com/hook', authorization: 'secret' },
    events: ['feature-created'],
    projects: ['shop'],
  });
  await send('POST', 'metrics/applications/till', { description: 'In the shop', url: 'https://example.com/till' });
  await send('POST', 'ui-config/cors', { frontendApiOrigins: ['https://example.com'] });
}

/** Changes things of several kinds in a filled service. */
export async function changeSource(service: Service): Promise<void> {
  const send = senderTo(service);
  const shop = 'projects/shop/features';
  await send('PUT', 'user-admin/2', { name: 'Alice', email: 'alice@example.com', rootRole: 2 });
  await send('PUT', 'segments/2', {
    name: 'swiss',
    description: 'CH and LI',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'], inverted: true }],
  });
  await send('POST', `${shop}/cart/environments/staging/off`);
  await send('POST', 'features/parent/tags', { type: 'simple', value: 'ops' });
  await send('POST', shop, { name: 'fresh' });
  await send('DELETE', 'archive/old');
  await send('POST', 'api-tokens', { tokenName: 'late', type: 'client', environment: 'staging', projects: ['shop'] });
}
