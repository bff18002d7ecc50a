import * as v from 'valibot';
import { boolean, integer, object, text } from '../../values/primitives.ts';
import { webAddress } from '../../values/web-address.ts';

export const samlSettings = object({
  enabled: v.exactOptional(boolean),
  entityId: text,
  signOnUrl: webAddress,
  certificate: text,
  signOutUrl: v.exactOptional(webAddress),
  spCertificate: v.exactOptional(text),
  autoCreate: v.exactOptional(boolean),
  emailDomains: v.exactOptional(text),
  defaultRootRole: v.exactOptional(v.picklist(['Viewer', 'Editor', 'Admin'])),
  defaultRootRoleId: v.exactOptional(integer),
  enableGroupSyncing: v.exactOptional(boolean),
  groupJsonPath: v.exactOptional(text),
});
export type SamlSettings = v.InferOutput<typeof samlSettings>;

/** The settings in replies. Without stored settings, only two of them exist. */
export const shownSamlSettings = object({
  ...samlSettings.entries,
  entityId: v.exactOptional(text),
  signOnUrl: v.exactOptional(webAddress),
  certificate: v.exactOptional(text),
});
export type ShownSamlSettings = v.InferOutput<typeof shownSamlSettings>;
