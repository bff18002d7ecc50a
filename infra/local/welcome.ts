import { join } from 'node:path';
import { insecureLocalToken } from './insecure-token.ts';
import type { Settings } from './settings.ts';

/** The tokens to be added to the store: those asked for, else the insecure one, but that never in Amazon's cloud. */
export function adminTokensFor({ adminTokens }: Settings, endpoint: string): readonly string[] {
  if (adminTokens !== undefined) return adminTokens;
  return isCloud(endpoint) ? [] : [insecureLocalToken];
}

function isCloud(endpoint: string): boolean {
  return /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/i.test(new URL(endpoint).hostname);
}

/** What whoever started it wants to know: where it is, where its data are, and how to ask it something. */
export function describeStart(
  settings: Settings,
  endpoint: string,
  adminTokens: readonly string[],
  port: number,
): string {
  const url = `http://${toAddress(settings.host)}:${port}`;
  const isInsecure = adminTokens.includes(insecureLocalToken);
  return [
    ...(isInsecure ? warning : []),
    ...(isInsecure && !isLoopback(settings.host) ? [wideWarning(settings.host)] : []),
    `Flagstaff serves ${url}`,
    `The store is ${endpoint}, table ${settings.tableName}, ${placeOf(settings)}.`,
    `Try: curl -H 'Authorization: ${isInsecure ? insecureLocalToken : '<token>'}' ${url}/api/admin/environments`,
  ].join('\n');
}

const warning = [
  `WARNING: INIT_ADMIN_API_TOKENS is not set, so an insecure token that everybody knows opens this server:`,
  `         ${insecureLocalToken}`,
];

function wideWarning(host: string): string {
  return `WARNING: HOST ${host} makes it listen beyond this machine: whoever reaches it may do everything.`;
}

/** Whether an address is one that only this machine reaches. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

function placeOf({ storeEndpoint, dataDirectory }: Settings): string {
  if (storeEndpoint !== undefined) return 'named by DYNAMODB_ENDPOINT';
  return dataDirectory === undefined
    ? 'in memory: it ends with this process'
    : `kept in ${join(dataDirectory, 'store.db')}`;
}

/** Where a client on this machine finds a server that listens on `host`. */
function toAddress(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
