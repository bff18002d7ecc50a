import { floodOf } from '../../harness/saml-floods.ts';
import { requestIdIn, samlForm, samlProviderSettings } from '../../harness/saml-provider.ts';
import type { Callable } from '../../harness/world.ts';

/** The most processor time that a response may take which nobody has signed, in milliseconds. */
export const samlMsMax = 1_500;

/**
 * Measures the processor time, in milliseconds, until the service refuses a response to the callback of single sign-on,
 * for each of those that are made to take long. Anybody may send them.
 */
export async function samlCosts(service: Callable): Promise<ReadonlyMap<string, number>> {
  await service.call('POST', '/api/admin/auth/saml/settings', { body: samlProviderSettings });
  const requestId = requestIdIn(await service.call('GET', '/auth/saml/login'));
  const { costly, malformed } = await floodOf(requestId);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const timeOf = async (xml: string): Promise<number> => {
    const start = process.cpuUsage();
    const { status } = await service.call('POST', '/auth/saml/callback', { body: samlForm(xml), headers });
    const { user, system } = process.cpuUsage(start);
    if (status !== 401) throw new Error(`The response was answered with ${status}, not refused.`);
    return (user + system) / 1_000;
  };
  // The first one loads the libraries.
  await timeOf('<a>');
  const costs = new Map<string, number>();
  for (const [content, xml] of Object.entries({ ...costly, ...malformed })) costs.set(content, await timeOf(xml));
  return costs;
}
