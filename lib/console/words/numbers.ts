/** Writes a count shortly: 940, 1.1k, 12k, 3.4M. */
export function shortCount(count: number): string {
  if (count >= 999_500) return `${trim(count / 1_000_000)}M`;
  if (count >= 9_950) return `${Math.round(count / 1_000)}k`;
  if (count >= 1_000) return `${trim(count / 1_000)}k`;
  return String(count);
}

const trim = (value: number) => value.toFixed(1).replace('.0', '');

/** Writes a share in per cent; shares that are not none or all are never shown as 0% or 100%. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const share = (part / whole) * 100;
  if (share > 0 && share < 1) return '<1%';
  if (share > 99 && share < 100) return '>99%';
  return `${Math.round(share)}%`;
}

/** Writes a number of things: "1 flag", "2 flags". */
export function countOf(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}
