import { describe, expect } from 'vitest';
import { type RawItem, writeBatch } from '../../../lib/store/raw-items.ts';
import { createReviewTeam } from '../../harness/change-requests.ts';
import { importBody, importPath } from '../../harness/import-file.ts';
import { contentOf } from '../../harness/items.ts';
import type { MadeFeature } from '../../harness/world.ts';
import { test, worldForEach } from '../../specifications/specify.ts';

/** Builds a constraint whose expression takes a number of steps per character. */
const matching = (steps: number, contextName = 'userId') => ({
  ...{ contextName, operator: 'REGEX', value: `[ab]{${steps - 4}}[cd]` },
});
/** Builds a strategy whose expressions take nearly 1,500 steps and differ for each number. */
const half = (number: number) => ({
  name: 'default',
  constraints: [490, 491, 492].map((steps) => matching(steps + 3 * number)),
});
const pathOf = ({ place: { projectId, featureName, environment } }: MadeFeature) =>
  `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies`;
const refusal = { status: 400, body: { name: 'ValidationError' } };
const tooMany = /take \d+ steps for each character of a value, and at most 3000 are allowed/;

describe('The regular expressions of a feature in an environment', () => {
  const { service, world } = worldForEach();
  /** Stores a feature from before the limit, with 5,000 steps in one strategy. */
  async function earlierFeature() {
    const expressions = Array.from({ length: 10 }, (_, index) => matching(490 + index).value);
    const constraints = expressions.map((_, index) => ({
      ...{ contextName: 'userId', operator: 'REGEX', value: `later-${index}-` },
    }));
    const feature = await world.feature({ on: true, strategies: [{ name: 'default', constraints }] });
    const items = (await contentOf(service.table)).filter((item) => JSON.stringify(item).includes('later-0-'));
    const earlier = expressions.reduce(
      (text, expression, index) => text.replaceAll(`later-${index}-`, expression),
      JSON.stringify(items.filter(({ pk }) => !pk.includes('EVENTS'))),
    );
    await writeBatch(service.table, JSON.parse(earlier) as RawItem[]);
    const [strategy] = (await world.ask('GET', pathOf(feature))).body;
    expect(strategy.constraints[9].value).toBe(expressions[9]);
    return { feature, path: `${pathOf(feature)}/${strategy.id}`, strategy };
  }

  test('have a common limit of steps, for which equal ones count once', async () => {
    const feature = await world.feature();
    const path = pathOf(feature);
    const { id } = (await world.ask('POST', path, half(0))).body;
    await world.ask('POST', path, half(1));
    const { status } = await service.post(path, half(1));
    expect(status).toBe(200);
    const another = { name: 'default', constraints: [matching(100)] };
    const refused = await service.post(path, another);
    expect(refused).toMatchObject(refusal);
    expect(refused.body.message).toMatch(tooMany);
    expect(refused.body.message).toContain(`the feature "${feature.name}" in "development"`);
    // An equal expression of another field is compared with another value, so it counts.
    expect(await service.post(path, { name: 'default', constraints: [matching(490, 'plan')] })).toMatchObject(refusal);
    const change = [{ op: 'add', path: '/constraints/-', value: matching(100) }];
    expect(await service.call('PATCH', `${path}/${id}`, { body: change })).toMatchObject(refusal);
    const more = { name: 'default', constraints: [...half(0).constraints, matching(100)] };
    expect(await service.put(`${path}/${id}`, more)).toMatchObject(refusal);
    expect(await service.put(`${path}/${id}`, another)).toMatchObject({ status: 200 });
    const clone = `/api/admin/projects/default/features/${feature.name}/clone`;
    expect(await service.post(clone, { name: 'a-clone', replaceGroupId: true })).toMatchObject({ status: 201 });
  });

  test('from before the limit can stay, and other properties can change', async () => {
    const { feature, path, strategy } = await earlierFeature();
    const { constraints } = strategy;
    expect(await service.put(path, { name: 'default', title: 'Earlier', constraints })).toMatchObject({ status: 200 });
    const fewer = { name: 'default', constraints: constraints.slice(1) };
    expect(await service.put(path, fewer)).toMatchObject({ status: 200 });
    expect(await service.put(path, { name: 'default', constraints })).toMatchObject(refusal);
    const plain = { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] };
    expect(await service.post(pathOf(feature), plain)).toMatchObject({ status: 200 });
    expect(await service.post(pathOf(feature), { name: 'default', constraints: [matching(9)] })).toMatchObject(refusal);
    const admin = `/api/admin/projects/default/features/${feature.name}`;
    expect(await service.put(admin, { description: 'Earlier' })).toMatchObject({ status: 200 });
    expect(await service.post(`${admin}/environments/development/off`)).toMatchObject({ status: 200 });
    const copy = { name: 'copy', type: 'development', projects: ['default'] };
    expect(await service.post('/api/admin/environments/development/clone', copy)).toMatchObject({ status: 201 });
    const copied = { ...feature, place: { ...feature.place, environment: 'copy' } };
    expect((await world.ask('GET', pathOf(copied))).body[0].constraints).toHaveLength(9);
    const exported = (
      await world.ask('POST', '/api/admin/features-batch/export', {
        features: [feature.name],
        environment: 'development',
      })
    ).body;
    const file = { project: 'default', environment: 'development', data: exported };
    expect(await service.post(importPath, file)).toMatchObject({ status: 200 });
  });

  test('are counted by an import, which lists all features above the limit', async () => {
    const { name } = await world.feature();
    const strategies = [0, 1, 2].flatMap((number) =>
      ['new-a', 'new-b', 'new-c', name].map((featureName) => ({ ...half(number), featureName })),
    );
    const features = ['new-a', 'new-b', 'new-c'].map((name) => ({ name: name }));
    const body = importBody({
      features: [...features, { name }],
      featureStrategies: strategies.filter(({ featureName }, index) => featureName !== 'new-c' || index < 8),
    });
    const validated = await world.ask('POST', '/api/admin/features-batch/validate', body);
    expect(validated.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/"new-a" take \d+ steps/),
      expect.stringMatching(/"new-b" take \d+ steps/),
    ]);
    expect(await service.post(importPath, body)).toMatchObject(refusal);
    const again = importBody({
      features: [{ name }],
      featureStrategies: strategies.filter(({ featureName }) => featureName === name),
    });
    const refused = await service.post(importPath, again);
    expect(refused).toMatchObject(refusal);
    expect(refused.body.message).toMatch(tooMany);
  });

  test('are counted by a change request in their state after all its changes', async () => {
    const { ask, bring, author, reviewer, projectId, environment } = await createReviewTeam(world);
    const place = { projectId, environment };
    const feature = await world.feature({ project: projectId, environment, strategies: [half(0), half(1)] });
    const path = pathOf({ ...feature, place: { ...place, featureName: feature.name } });
    const { body: strategies } = await world.ask('GET', path);
    const add = { feature: feature.name, action: 'addStrategy', payload: half(2) };
    const asked = await ask(author, [add]);
    expect(asked).toMatchObject(refusal);
    expect(asked.body.message).toMatch(tooMany);
    const remove = { feature: feature.name, action: 'deleteStrategy', payload: { id: strategies[0].id } };
    const { status, body } = await ask(author, [add, remove]);
    expect(status).toBe(200);
    const [{ id }] = [body].flat();
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    expect(await bring(reviewer, id, 'Applied')).toMatchObject({ status: 200 });
    expect((await world.ask('GET', path)).body).toHaveLength(2);
  });

  test('have the same limit in segments and default strategies', async () => {
    const constraints = [...half(0).constraints, ...half(1).constraints, ...half(2).constraints];
    const path = '/api/admin/segments';
    const refused = await service.post(path, { name: 'hard', constraints });
    expect(refused).toMatchObject(refusal);
    expect(refused.body.message).toMatch(tooMany);
    const { id, name } = await world.segment({ constraints: half(0).constraints });
    expect(await service.put(`${path}/${id}`, { name, constraints })).toMatchObject(refusal);
    expect(await service.put(`${path}/${id}`, { name, constraints: half(1).constraints })).toMatchObject({
      status: 204,
    });
    const project = await world.project();
    const defaultPath = `/api/admin/projects/${project}/environments/development/default-strategy`;
    expect(await service.post(defaultPath, { name: 'flexibleRollout', constraints })).toMatchObject(refusal);
    const { body: environment } = await world.ask('POST', '/api/admin/environments', { name: 'extra', type: 'test' });
    const added = { environment: environment.name, defaultStrategy: { name: 'flexibleRollout', constraints } };
    expect(await service.post(`/api/admin/projects/${project}/environments`, added)).toMatchObject(refusal);
  });
});

test('Empty groups of a pattern count, too, since RE2 compiles them to instructions', async ({ service, world }) => {
  const { place } = await world.feature();
  const path = `/api/admin/projects/default/features/${place.featureName}/environments/development/strategies`;
  const constraints = [{ contextName: 'userId', operator: 'REGEX', value: '(){1000}'.repeat(100) }];
  expect(await service.post(path, { name: 'default', constraints })).toMatchObject(refusal);
});

describe('A pattern that RE2 does not accept is refused with its reason and all other problems, in', () => {
  const { service, world } = worldForEach();
  const reason = 'REGEX needs a regular expression that RE2 accepts: missing closing ): `(a`.';
  const constraints = [
    { contextName: 'userId', operator: 'REGEX', value: '(a' },
    { contextName: 'userId', operator: 'NUM_EQ', value: 'x' },
  ];
  const strategy = { name: 'flexibleRollout', constraints };
  const number = 'NUM_EQ needs a number.';

  /** Sends a request, and returns the problems at the two constraints. */
  async function problemsOf(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
    const { status, body: error } = await service.call(method, path, { body });
    expect(status).toBe(400);
    return error.details.map(({ message, path: place }: { message: string; path: string }) => [place, message]);
  }
  const problemsAt = (place: string) => [
    [`${place}.0`, reason],
    [`${place}.1`, number],
  ];

  test('a new, a changed and a patched strategy', async () => {
    const feature = await world.feature();
    const strategyId = await world.strategy(feature);
    const path = pathOf(feature);
    expect(await problemsOf('POST', path, strategy)).toEqual(problemsAt('constraints'));
    expect(await problemsOf('PUT', `${path}/${strategyId}`, strategy)).toEqual(problemsAt('constraints'));
    const patch = [{ op: 'replace', path: '/constraints', value: constraints }];
    expect(await problemsOf('PATCH', `${path}/${strategyId}`, patch)).toEqual(problemsAt('constraints'));
  });

  test('a default strategy', async () => {
    const path = `/api/admin/projects/${await world.project()}/environments`;
    expect(await problemsOf('POST', `${path}/development/default-strategy`, strategy)).toEqual(
      problemsAt('constraints'),
    );
    const added = { environment: 'production', defaultStrategy: strategy };
    expect(await problemsOf('POST', path, added)).toEqual(problemsAt('defaultStrategy.constraints'));
  });

  test('a segment, and the check of a constraint', async () => {
    const { id, name } = await world.segment();
    const path = '/api/admin/segments';
    expect(await problemsOf('POST', path, { name: 'new', constraints })).toEqual(problemsAt('constraints'));
    expect(await problemsOf('PUT', `${path}/${id}`, { name, constraints })).toEqual(problemsAt('constraints'));
    const [first = {}] = constraints;
    expect(await service.post('/api/admin/constraints/validate', first)).toMatchObject(refusal);
  });

  test('an import and its validation', async () => {
    const body = importBody({
      features: [{ name: 'new' }],
      featureStrategies: [{ ...strategy, featureName: 'new' }],
    });
    for (const path of [importPath, '/api/admin/features-batch/validate']) {
      expect(await problemsOf('POST', path, body)).toEqual(problemsAt('data.featureStrategies.0.constraints'));
    }
  });

  test('a change request', async () => {
    const { ask, author } = await createReviewTeam(world);
    const segment = await world.segment();
    const { status, body } = await ask(author, [
      { feature: 'any', action: 'addStrategy', payload: strategy },
      { feature: 'any', action: 'updateStrategy', payload: { id: 'any', ...strategy } },
      { action: 'updateSegment', payload: { ...segment, constraints } },
    ]);
    expect(status).toBe(400);
    expect(body.details.map(({ path, message }: Record<string, string>) => [path, message])).toEqual(
      [0, 1, 2].flatMap((index) => problemsAt(`${index}.payload.constraints`)),
    );
  });
});
