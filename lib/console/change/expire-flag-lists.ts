import { getArchivedFeatures, getConsoleFlags } from '../calls/flags.ts';
import { expire, loadAddress } from '../data/cache.ts';
import { startPath } from '../reader/start.ts';

/** Lets all lists of flags, and their counts, be read again after flags were created, changed, moved or archived. */
export function expireFlagLists(): void {
  expire(getConsoleFlags({}));
  expire(getArchivedFeatures({}));
  void loadAddress(startPath, 0);
}
