import { buildName } from '../../lib/http/version.ts';
import { firstAdmin } from '../../lib/sign-in/first-admin.ts';
import { isLoopback } from '../../lib/values/web-address.ts';
import { storeFileIn } from './embedded-store.ts';
import { insecureLocalToken } from './insecure-token.ts';
import type { LocalSettings } from './settings.ts';

/** The result of a start, which is shown to the person who made it. */
export interface Started {
  readonly url: string;
  readonly acceptsLocalToken: boolean;
  /** A new password of the user `admin`. */
  readonly adminPassword: string | undefined;
}

/** Returns the text that a start prints: the address, where the data is, and a request to try. */
export function describeStart(settings: LocalSettings, { url, acceptsLocalToken, adminPassword }: Started): string {
  return [
    ...(acceptsLocalToken ? warning : []),
    ...(lacksAddress(settings) ? [noAddress] : []),
    `Flagstaff ${buildName()} serves ${url}${settings.isRelay ? ' as a relay: to SDKs only' : ''}`,
    `The store is ${describeStore(settings)}, table ${settings.tableName}.`,
    ...(settings.console === 'off' ? [] : [`${consoleNames[settings.console]} is at ${settings.publicUrl ?? url}`]),
    ...(adminPassword === undefined
      ? []
      : [`The user ${firstAdmin} has the password ${adminPassword}, which is shown only once.`]),
    `Try: curl -H 'Authorization: ${acceptsLocalToken ? insecureLocalToken : '<token>'}' ${url}${settings.isRelay ? '/api/client/features' : '/api/admin/environments'}`,
  ].join('\n');
}

const consoleNames = { flagstaff: 'The console', unleash: "Unleash's admin UI (Apache-2.0)" };

/** Returns the address at which clients on this machine reach a server that listens on a port of `host`. */
export function urlOf(host: string, port: number): string {
  return `http://${toAddress(host)}:${port}`;
}

const warning = [
  `WARNING: Until there is an admin token, or a password that somebody has chosen, this server accepts a public, insecure token:`,
  `         ${insecureLocalToken}`,
];

/** Tells whether people need an address that is not set. On a loopback address it is known, and a relay needs none. */
function lacksAddress({ publicUrl, host, isRelay }: LocalSettings): boolean {
  return publicUrl === undefined && !isLoopback(host) && !isRelay;
}

const noAddress =
  'PUBLIC_URL is not set. Set it to the address that people use. Without it, there are no links for passwords and invitations and no single sign-on, and people can only sign in over https or on localhost.';

function describeStore({ storeEndpoint, dataDirectory }: LocalSettings): string {
  if (storeEndpoint !== undefined) return `${storeEndpoint}, named by DYNAMODB_ENDPOINT`;
  return dataDirectory === undefined ? 'in memory only' : storeFileIn(dataDirectory);
}

function toAddress(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
