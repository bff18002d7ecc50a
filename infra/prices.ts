import type { StackSettings } from './settings.ts';

/** Prices of AWS in US dollars, in us-east-1 and without volume discounts. Other regions cost up to a third more. */
export const prices = {
  millionReadUnits: 0.125,
  millionWriteUnits: 0.625,
  millionGatewayRequests: 1,
  millionFunctionRequests: 0.2,
  gigabyteLogged: 0.5,
  /** Per month, in proportion to the hours in which it is reported. */
  customMetric: 0.3,
  /** Traffic to the internet, beyond the free amount of each month. */
  gigabyteSent: 0.09,
  gigabytesSentFree: 100,
  /** A load balancer, its fee by use, and a public address. */
  balancerHour: 0.0225,
  balancerUnitHour: 0.008,
  addressHour: 0.005,
  /** Fargate on arm64. */
  containerProcessorHour: 0.03238,
  containerGigabyteHour: 0.00356,
};

/** Returns the price of a gigabyte of memory for a million milliseconds. */
export function millionGigabyteMilliseconds({ architecture }: Pick<StackSettings, 'architecture'>): number {
  return 1000 * (architecture === 'arm64' ? 0.0000133334 : 0.0000166667);
}
