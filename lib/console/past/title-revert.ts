/**
 * Returns the title of a request that takes a flag back.
 * @param side the moment: before or after a change, or a time that was chosen.
 * @param at the time of the moment or of the change, which all readers see in UTC.
 */
export function titleRevert(flag: string, side: 'before' | 'after' | 'time', at: string): string {
  const time = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return `Take ${flag} back to ${side === 'time' ? '' : `right ${side} the change of `}${time}`;
}
