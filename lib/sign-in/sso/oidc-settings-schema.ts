import * as v from 'valibot';
import { boolean, integer, object, text } from '../../values/primitives.ts';
import { webAddress } from '../../values/web-address.ts';

export const oidcSettings = object({
  enabled: v.exactOptional(boolean),
  clientId: text,
  secret: text,
  discoverUrl: v.exactOptional(webAddress),
  autoCreate: v.exactOptional(boolean),
  enableSingleSignOut: v.exactOptional(boolean),
  defaultRootRole: v.exactOptional(v.picklist(['Viewer', 'Editor', 'Admin'])),
  defaultRootRoleId: v.exactOptional(integer),
  emailDomains: v.exactOptional(text),
  acrValues: v.exactOptional(text),
  idTokenSigningAlgorithm: v.exactOptional(v.picklist(['RS256', 'RS384', 'RS512'])),
  enableGroupSyncing: v.exactOptional(boolean),
  groupJsonPath: v.exactOptional(text),
  addGroupsScope: v.exactOptional(boolean),
  enablePkce: v.exactOptional(boolean),
});
export type OidcSettings = v.InferOutput<typeof oidcSettings>;

/** The settings in replies. Without stored settings, only two of them exist. */
export const shownOidcSettings = object({
  ...oidcSettings.entries,
  clientId: v.exactOptional(text),
  secret: v.exactOptional(text),
});
export type ShownOidcSettings = v.InferOutput<typeof shownOidcSettings>;
