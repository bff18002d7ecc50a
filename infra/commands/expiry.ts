import { UsageError } from './command.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The maximum lifetime of a token. A longer one is probably a typo. */
const maxDays = 3_650;

/**
 * Returns the time at which a lifetime such as 30d, 12h or 90m ends.
 * @throws UsageError for anything else.
 */
export function expiryAfter(text: string, now = Date.now()): Date {
  const [, amount, unit] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const lifetime = Number(amount) * unitMs[unit as keyof typeof unitMs];
  if (!(lifetime > 0) || lifetime > maxDays * unitMs.d) {
    throw new UsageError(
      `--expires must be minutes, hours or days up to ${maxDays}d, such as 90m, 12h or 30d, not "${text}".`,
    );
  }
  return new Date(now + lifetime);
}

/** Joins `--expires` and a value with a minus. As an argument of its own, the value would be taken for an unknown option. */
export function joinExpiry(args: readonly string[]): string[] {
  const isExpiry = (index: number) => args[index - 1] === '--expires' && /^-[^-]/.test(args[index] ?? '');
  return args.flatMap((arg, index) => {
    if (isExpiry(index)) return [];
    return isExpiry(index + 1) ? [`${arg}=${args[index + 1]}`] : [arg];
  });
}
