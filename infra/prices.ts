import type { Settings } from './settings.ts';

/** What AWS asks, in US dollars, in us-east-1 and without volume discounts; elsewhere it is up to a third more. */
export const prices = {
  millionReadUnits: 0.125,
  millionWriteUnits: 0.625,
  millionGatewayRequests: 1,
  millionFunctionRequests: 0.2,
  gigabyteLogged: 0.5,
};

/** What a gigabyte of memory costs for a million milliseconds. */
export function millionGigabyteMilliseconds({ architecture }: Pick<Settings, 'architecture'>): number {
  return 1000 * (architecture === 'arm64' ? 0.0000133334 : 0.0000166667);
}
