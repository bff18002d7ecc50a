import type { Difference } from './difference.ts';

/** Why a reply of ours is meant to be another than Unleash's. */
export interface Known {
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly kind?: Difference['kind'];
  readonly reason: string;
}

export const known: readonly Known[] = [];

export function reasonFor(step: string, { path, kind }: Difference): string | undefined {
  return known.find(
    (each) =>
      (each.step?.test(step) ?? true) &&
      (each.path?.test(path) ?? true) &&
      (each.kind === undefined || each.kind === kind),
  )?.reason;
}
