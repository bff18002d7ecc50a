import { getArchivedFeatures, getConsoleFlags } from '../calls/flags.ts';
import { expire, loadAddress } from '../data/cache.ts';
import { startPath } from '../reader/start.ts';

/** Makes the console read all lists of flags and their counts again, after flags were created, changed, moved or archived. */
export function expireFlagLists(): void {
  expire(getConsoleFlags({}));
  expire(getArchivedFeatures({}));
  void loadAddress(startPath, 0);
}
