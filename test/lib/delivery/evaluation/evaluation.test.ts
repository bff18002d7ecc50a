import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { evaluationContext } from '../../../../lib/delivery/evaluation/context.ts';
import { Evaluation } from '../../../../lib/delivery/evaluation/evaluation.ts';

const texts = (values: Record<string, string>) => evaluationContext({ texts: values, properties: {} });

function featureFor(constraint: object) {
  const strategy = { name: 'default', parameters: {}, variants: [], constraints: [{ values: [], ...constraint }] };
  return {
    name: 'checkout',
    enabled: true,
    impressionData: false,
    strategies: [strategy],
    variants: [],
  };
}

function isOn(constraint: object, context = texts({})): boolean {
  const feature = featureFor(constraint);
  return new Evaluation({ features: [feature], segments: new Map() }).evaluate(feature, context).enabled;
}

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'properties'])(
  'A constraint on "%s" finds what was sent, and nothing that every object has',
  (contextName) => {
    const constraint = { contextName, operator: 'STR_CONTAINS', values: ['o'] };
    expect(isOn(constraint)).toBe(false);
    expect(isOn(constraint, evaluationContext({ texts: {}, properties: { country: 'o' } }))).toBe(false);
    expect(isOn({ ...constraint, inverted: true })).toBe(true);
  },
);

test('What is sent beside the properties counts more than a property of that name', () => {
  const context = evaluationContext({ texts: { plan: 'free' }, properties: { plan: 'paid', userId: 'ann' } });
  expect(isOn({ contextName: 'plan', operator: 'IN', values: ['free'] }, context)).toBe(true);
  expect(isOn({ contextName: 'userId', operator: 'IN', values: ['ann'] }, context)).toBe(true);
});

test('A context has its own fields and else properties, which are no text themselves', () => {
  const context = evaluationContext({ texts: { userId: 'ann', plan: 'paid' }, properties: { country: 'NZ' } });
  expect({ ...context, properties: { ...context.properties } }).toEqual({
    userId: 'ann',
    properties: { country: 'NZ', plan: 'paid' },
  });
  expect(String(context.properties)).toBe('');
});

test('A segment holds where all its constraints do, and one that is not there never', () => {
  const segments = new Map([[1, { id: 1, constraints: [{ contextName: 'plan', operator: 'IN', values: ['paid'] }] }]]);
  const isOnFor = (plan: string, id: number) => {
    const strategy = { name: 'default', parameters: {}, variants: [], constraints: [], segments: [id] };
    const feature = { ...featureFor({}), strategies: [strategy] };
    return new Evaluation({ features: [feature], segments }).evaluate(feature, texts({ plan })).enabled;
  };
  expect([isOnFor('paid', 1), isOnFor('free', 1), isOnFor('paid', 2)]).toEqual([true, false, false]);
});

test('A feature that is not there is off, and so is one with a strategy that the engine does not know', () => {
  const feature = { ...featureFor({}), strategies: [{ name: 'ours', parameters: {}, constraints: [] }] };
  const evaluation = new Evaluation({ features: [feature], segments: new Map() });
  const off = {
    enabled: false,
    variant: { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false },
  };
  expect(evaluation.evaluate(feature, texts({}))).toEqual(off);
  expect(evaluation.evaluate(undefined, texts({}))).toEqual(off);
});

test('Regular expressions are compiled once, however many there are', () => {
  const constraints = Array.from({ length: 110 }, (_, index) => ({
    ...{ contextName: 'plan', operator: 'REGEX', values: [], caseInsensitive: true, inverted: true },
    value: `#${index}`,
  }));
  const strategy = { name: 'default', parameters: {}, variants: [], constraints };
  const feature = { name: 'checkout', enabled: true, impressionData: false, strategies: [strategy], variants: [] };
  const evaluation = new Evaluation({ features: [feature], segments: new Map() });
  const compile = vi.spyOn(RE2JS, 'compile');
  for (let count = 0; count < 2; count += 1) {
    expect(evaluation.evaluate(feature, texts({ plan: 'x' })).enabled).toBe(true);
    expect(compile).toHaveBeenCalledTimes(110);
  }
});
