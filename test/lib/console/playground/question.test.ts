import { describe, expect, test } from 'vitest';
import {
  buildPlaygroundRequest,
  countContexts,
  parseQuestion,
  type Question,
  writeQuestion,
} from '../../../../lib/console/playground/question.ts';

const question: Question = {
  environments: ['development', 'production'],
  projects: ['checkout'],
  context: { userId: 'anna,bob', region: 'eu & us', plan: '' },
  milestones: [{ featureName: 'basket', environment: 'production', milestoneId: 'm-2' }],
};

describe('A question to the playground', () => {
  test('survives its way through an address, without empty fields', () => {
    expect(parseQuestion(new URLSearchParams(writeQuestion(question)))).toEqual({
      ...question,
      context: { userId: 'anna,bob', region: 'eu & us' },
    });
  });

  test('asks for all projects where none is chosen, with the fields where the service expects them', () => {
    expect(buildPlaygroundRequest({ ...question, projects: [] })).toEqual({
      environments: ['development', 'production'],
      projects: '*',
      context: { appName: 'playground', userId: 'anna,bob', properties: { region: 'eu & us' } },
      milestones: question.milestones,
    });
  });

  test('leaves out milestones in environments that it is not about', () => {
    expect(buildPlaygroundRequest({ ...question, environments: ['development'] })).not.toHaveProperty('milestones');
  });

  test('keeps the application that somebody names', () => {
    expect(buildPlaygroundRequest({ ...question, context: { appName: 'shop' } }).context).toEqual({
      appName: 'shop',
      properties: {},
    });
  });

  test('has one context for each combination of its values', () => {
    expect(countContexts(question)).toBe(2);
    expect(countContexts({ ...question, context: { userId: 'a,b', region: 'eu,us,ch', plan: ' ' } })).toBe(6);
    expect(countContexts({ ...question, context: {} })).toBe(1);
  });
});
