import type * as v from 'valibot';
import type { BannerInput, ShownBanner } from '../../banners/banner-schema.ts';
import type { InstanceStatistics } from '../../insights/instance-statistics-schema.ts';
import type { uiConfig } from '../../pages/ui-config-schema.ts';
import type { Traffic } from '../../usage/traffic-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getUiConfig = read<v.InferOutput<typeof uiConfig>>()('getUiConfig', '/api/admin/ui-config');
export const setCors = change<unknown, { readonly frontendApiOrigins: string[] }>()(
  'setCors',
  'POST',
  '/api/admin/ui-config/cors',
);

const maintenance = '/api/admin/maintenance';
export const getMaintenance = read<{ readonly enabled: boolean }>()('getMaintenance', maintenance);
export const toggleMaintenance = change<unknown, { readonly enabled: boolean }>()(
  'toggleMaintenance',
  'POST',
  maintenance,
);

const remoteMcp = '/api/admin/remote-mcp/settings';
export const getRemoteMcpSettings = read<{ readonly enabled: boolean }>()('getRemoteMcpSettings', remoteMcp);
export const setRemoteMcpSettings = change<unknown, { readonly enabled: boolean }>()(
  'setRemoteMcpSettings',
  'POST',
  remoteMcp,
);

const banners = '/api/admin/banners';
export const getBanners = read<{ readonly banners: readonly ShownBanner[] }>()('getBanners', banners);
export const createBanner = change<ShownBanner, BannerInput>()('createBanner', 'POST', banners);
export const updateBanner = change<ShownBanner, BannerInput>()('updateBanner', 'PUT', `${banners}/{id}`);
export const deleteBanner = change()('deleteBanner', 'DELETE', `${banners}/{id}`);
export const toggleBannerOn = change()('toggleBannerOn', 'POST', `${banners}/{id}/on`);
export const toggleBannerOff = change()('toggleBannerOff', 'POST', `${banners}/{id}/off`);

export const getInstanceAdminStats = read<InstanceStatistics>()(
  'getInstanceAdminStats',
  '/api/admin/instance-admin/statistics',
);
export const getInstanceTraffic = read<Traffic>()('getInstanceTraffic', '/api/admin/metrics/traffic');

/** The settings for change requests of the whole service. */
export interface ChangeRequestSettings {
  readonly adminsSkip: boolean;
  readonly lateMinutesMax: number | null;
  readonly expiryDays: number | null;
}
const changeRequestSettings = '/api/admin/change-requests/settings';
export const getChangeRequestSettings = read<ChangeRequestSettings>()(
  'getChangeRequestSettings',
  changeRequestSettings,
);
export const setChangeRequestSettings = change<unknown, ChangeRequestSettings>()(
  'setChangeRequestSettings',
  'PUT',
  changeRequestSettings,
);

/** The address of the statistics as a table of comma-separated values. */
export const statisticsCsv = '/api/admin/instance-admin/statistics/csv';

/** The parts of the API whose calls are counted, with those who use them. */
export const countedPaths = [
  ['/api/client', 'SDKs on servers'],
  ['/api/frontend', 'Pages and apps'],
  ['/api/admin', 'People and scripts'],
] as const;
