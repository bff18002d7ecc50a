import { inject } from 'vitest';

/** The address of the store of this worker. */
export function storeEndpoint(): string {
  const endpoints = inject('storeEndpoints');
  return endpoints[Number(process.env.VITEST_POOL_ID) % endpoints.length] as string;
}
