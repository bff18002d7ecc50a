import { expect, test } from 'vitest';
import { wants } from '../../../../lib/integrations/sending/matching.ts';
import { anAddon, anEvent } from './event.ts';

test.each([
  ['of the type', {}, {}, true],
  ['of another type', {}, { type: 'feature-created' as const }, false],
  ['of a project that is named', { projects: ['a', 'default'] }, {}, true],
  ['of a project that is not named', { projects: ['a'] }, {}, false],
  ['of any project where all are', { projects: ['*'] }, {}, true],
  ['of no project where some are named', { projects: ['a'] }, { project: null }, true],
  ['of an environment that is named', { environments: ['production'] }, {}, true],
  ['of an environment that is not named', { environments: ['development'] }, {}, false],
  ['of no environment where some are named', { environments: ['development'] }, { environment: null }, true],
])('An integration is asked about an event %s', (_, addon, event, expected) => {
  expect(wants(anAddon({}, addon), anEvent(event))).toBe(expected);
});
