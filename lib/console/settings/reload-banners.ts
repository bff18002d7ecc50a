import { getBanners } from '../calls/settings.ts';
import { reload } from '../data/cache.ts';
import { startPath } from '../reader/start.ts';

/** Reads banners again wherever a page shows them. */
export async function reloadBanners(): Promise<void> {
  await Promise.all([reload(getBanners({})), reload(startPath)]);
}
