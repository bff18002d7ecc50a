import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of trends. */

/** The numbers of a week, such as `2026-07`. */
export const week = (name: string) => itemKey('TRENDS', name);
/** The weeks from a named one on. */
export const weeksFrom = (name: string): Partition => ({ pk: 'TRENDS', prefix: name, end: '~' });
/** The last finished week, and the version of what has been recorded. */
export const progress = () => itemKey('TRENDS_STATE', 'PROGRESS');
/** A part of what is known about flags and users at the end of a week. */
export const statePart = (name: string, part: number) =>
  itemKey('TRENDS_STATE', `${name}#${String(part).padStart(3, '0')}`);
