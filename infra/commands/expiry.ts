import { UsageError } from './command.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The longest life of a token; a longer one is a typing mistake. */
const daysMax = 3_650;

/**
 * Returns the end of a time to live such as 30d, 12h or 90m.
 * @throws UsageError for anything else.
 */
export function expiryAfter(text: string, now = Date.now()): Date {
  const [, amount, unit] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const lifetime = Number(amount) * unitMs[unit as keyof typeof unitMs];
  if (!(lifetime > 0) || lifetime > daysMax * unitMs.d) {
    throw new UsageError(
      `--expires takes minutes, hours or days up to ${daysMax}d, such as 90m, 12h or 30d, not "${text}".`,
    );
  }
  return new Date(now + lifetime);
}

/** Apart, a time with a minus would be taken for an option, and be refused in words that are not about times. */
export function joinExpiry(args: readonly string[]): string[] {
  const isExpiry = (index: number) => args[index - 1] === '--expires' && /^-[^-]/.test(args[index] ?? '');
  return args.flatMap((arg, index) => {
    if (isExpiry(index)) return [];
    return isExpiry(index + 1) ? [`${arg}=${args[index + 1]}`] : [arg];
  });
}
