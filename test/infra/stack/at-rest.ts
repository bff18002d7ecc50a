import { expect, test } from 'vitest';
import { atRest, atRestMax, dollarsAtRest } from '../../bench/cost/at-rest.ts';
import { synthesize } from '../synthesize.ts';
import { resourcesOf } from '../template.ts';

const resources = [...resourcesOf(synthesize().whole).values()];

test(`a stack of default settings costs at most $${atRestMax} a month at rest, without what is free in an account`, () => {
  expect(dollarsAtRest(atRest(resources))).toBeLessThanOrEqual(atRestMax);
});

test('the price includes another alarm, one on two metrics, a secret, a key and a fourth dashboard', () => {
  const dollars = (...more: { Type: string; Properties?: Record<string, unknown> }[]) =>
    dollarsAtRest(atRest([...resources, ...more])) - dollarsAtRest(atRest(resources));
  expect(dollars({ Type: 'AWS::CloudWatch::Alarm' })).toBeCloseTo(0.1);
  const Metrics = [{ MetricStat: {} }, { MetricStat: {} }, { Expression: 'a + b' }];
  expect(dollars({ Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics } })).toBeCloseTo(0.2);
  expect(dollars({ Type: 'AWS::SecretsManager::Secret' })).toBeCloseTo(0.4);
  expect(dollars({ Type: 'AWS::KMS::Key' })).toBeCloseTo(1);
  const dashboard = { Type: 'AWS::CloudWatch::Dashboard' };
  expect(dollars(dashboard, dashboard, dashboard)).toBeCloseTo(3);
});

test('a type of resource without a known price is refused', () => {
  expect(() => atRest([{ Type: 'AWS::EC2::NatGateway' }])).toThrow('AWS::EC2::NatGateway');
});

test('no resource without a price costs anything, such as one that is billed by the hour', () => {
  const priced = atRest(resources).filter(({ dollars }) => dollars > 0);
  expect(priced.map(({ type }) => type)).toEqual(['AWS::CloudWatch::Alarm']);
});
