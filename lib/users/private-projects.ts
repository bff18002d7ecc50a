import type { Key } from '../table/definition.ts';
import * as partitions from '../table/partitions.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { callerOf, forgetUser } from './caller.ts';
import { remember } from './identity-memory.ts';
import { isMember } from './permissions.ts';
import type { Token } from './tokens.ts';

const none: ReadonlySet<string> = new Set();

/** The ids of all private projects; what another process has changed is known here within `identityTrustMs`. */
export async function privateProjects(table: Table): Promise<ReadonlySet<string>> {
  return (await remember(table, 'private projects', () => loadPrivateProjects(table))) ?? none;
}

/**
 * The private projects that the holder of a token does not belong to: they must not see them. Without a private project,
 * nobody is looked up.
 * @param wanted the project that the request is about: who was taken into it a moment ago sees it at once.
 */
export async function hiddenProjects(
  table: Table,
  token: Token,
  wanted: string | undefined,
): Promise<ReadonlySet<string>> {
  const all = await privateProjects(table);
  if (all.size === 0) return none;
  const hidden = await hiddenAmong(table, token, all);
  if (token.userId === undefined || wanted === undefined || !hidden.has(wanted)) return hidden;
  forgetUser(table, token.userId);
  return hiddenAmong(table, token, all);
}

async function hiddenAmong(table: Table, token: Token, all: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const caller = await callerOf(table, token);
  return new Set([...all].filter((project) => caller === undefined || !isMember(caller.rights, project)));
}

async function loadPrivateProjects(table: Table): Promise<ReadonlySet<string>> {
  const items = await queryAll<Key>(table, partitions.privateProjects());
  return new Set(items.map(({ sk }) => sk));
}
