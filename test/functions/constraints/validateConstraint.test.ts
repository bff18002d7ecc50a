import { describe, expect, test } from 'vitest';
import { problemPaths, shopSeed } from '../../harness/features.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('validateConstraint', {
  route: 'POST /api/admin/constraints/validate',
  may: 'any token',
  request: () => ({
    body: { contextName: 'userId', operator: 'IN', caseInsensitive: true, inverted: true, values: ['7'], value: '7' },
  }),
  required: ['contextName', 'operator'],
  needed: ['values'],
});

describe('A constraint', () => {
  const service = sharedService(shopSeed);
  const validate = (constraint: object) => service.post('/api/admin/constraints/validate', constraint);

  test.each([
    ['with a value that its operator takes', { contextName: 'age', operator: 'NUM_GT', value: '7' }],
    ['on a context field that is unknown', { contextName: 'nosuch', operator: 'IN', values: ['x'] }],
    ['with legal values', { contextName: 'country', operator: 'NOT_IN', values: ['CH', 'NZ'] }],
  ])('%s is fine', async (_, constraint) => {
    expect(await validate(constraint)).toMatchObject({ status: 204, text: '' });
  });

  test.each([
    ['with no value for its operator', { contextName: 'age', operator: 'NUM_GT', values: ['7'] }, ['']],
    ['with a date that is none', { contextName: 'currentTime', operator: 'DATE_AFTER', value: 'soon' }, ['']],
    ['with values that are not legal', { contextName: 'country', operator: 'IN', values: ['CH', 'X', 'Y'] }, ['']],
    ['with a value that is not legal', { contextName: 'country', operator: 'NUM_EQ', value: '8' }, ['']],
  ])('%s is refused', async (_, constraint, places) => {
    expect(problemPaths(await validate(constraint))).toEqual(places);
  });
});
