import { notFound } from '../errors.ts';
import type { Request } from '../request.ts';
import { recordSignal, type Signal, type SignalSender } from './signals.ts';
import { watchNow } from './watch.ts';

/**
 * Takes a signal, and lets the safeguard act at once. The signal is stored first, so that the clock acts on it if this process dies.
 * @param id that of the safeguard in the path.
 * @throws ApiError 404 if the token is for another safeguard; 429 for too many signals.
 */
export async function takeSignal(request: Request, sender: SignalSender, id: string, signal: Signal): Promise<void> {
  if (sender.safeguardId !== id) throw notFound('safeguard', id);
  await recordSignal(request, sender, signal);
  if (signal.state === 'on') await watchNow(request, sender.environment, sender.featureName, new Date());
}
