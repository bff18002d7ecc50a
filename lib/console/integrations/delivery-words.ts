import type { IntegrationEvent } from '../../integrations/sent-log-schema.ts';

/** An attempt to send an event, in words. */
export interface ShownAttempt {
  readonly at: string;
  readonly took: string;
  readonly answer: string;
}

interface StoredAttempt {
  readonly at: string;
  readonly ms: number;
  readonly reason: string;
}

type Details = IntegrationEvent['details'];

/** Lists the attempts of a delivery, the oldest first. */
export function listAttempts({ attempts = [] }: Details & { readonly attempts?: unknown }): ShownAttempt[] {
  return (attempts as readonly StoredAttempt[]).map(({ at, ms, reason }) => ({
    at,
    took: ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`,
    answer: reason === '' ? 'Arrived' : reason,
  }));
}

/** Writes the last request: the address, headers and body. */
export function describeDetails({ attempts: _attempts, ...sent }: Details & { readonly attempts?: unknown }): string {
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${describe(value)}`);
  return lines.join('\n');
}

function describe(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
