import { describe, expect, test } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

const parameters = [{ name: 'team', type: 'list', description: 'Their names', required: true }];

specify('createStrategy', {
  route: 'POST /api/admin/strategies',
  ...openTo('Editor', 'CREATE_STRATEGY'),
  request: (world) => ({
    body: { name: world.name('strategy-type'), title: 'By team', description: 'On for some teams', parameters },
  }),
  required: ['name', 'parameters', 'parameters.0.name', 'parameters.0.type'],
  nullable: ['title', 'description', 'parameters.0.description'],
  again: 409,
});

describe('Creating a strategy type', () => {
  const service = serviceForEach();
  const create = (body: object) => service.post('/api/admin/strategies', body);

  test('answers it with every field and where it is, records it, and lets strategies be of it', async () => {
    const answer = await create({ name: 'byTeam', parameters: [{ name: 'team', type: 'list' }] });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/strategies/byTeam' } });
    expect(answer.body).toEqual({
      name: 'byTeam',
      displayName: null,
      title: null,
      description: '',
      editable: true,
      deprecated: false,
      parameters: [{ name: 'team', type: 'list', description: '', required: false }],
    });
    const defaultStrategy = '/api/admin/projects/default/environments/development/default-strategy';
    const { displayName: _, ...data } = answer.body;
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'strategy-created', data });
    expect((await service.post(defaultStrategy, { name: 'byTeam' })).status).toBe(200);
  });

  test('under the name of one that is built in is a 409', async () => {
    const answer = await create({ name: 'default', parameters });
    expect(answer).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
  });

  test('with two parameters of one name, or a name that no URL takes, is a 400 that names both', async () => {
    const twice = [...parameters, ...parameters];
    expect(problemPaths(await create({ name: 'by team', parameters: twice }))).toEqual(['name', 'parameters']);
  });
});
