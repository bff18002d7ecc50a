import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startProgress } from '../../../infra/commands/progress.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function outputOf(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
}

/** Shows a progress of 1,500 in steps of 100, each of which takes two seconds. */
function play(output: ReturnType<typeof outputOf>, total?: number): void {
  using progress = startProgress('Items read', total, output);
  for (let step = 0; step < 15; step += 1) {
    vi.advanceTimersByTime(2_000);
    progress.advance(100);
  }
}

test('In a log, progress is a line every ten seconds, without signs for a terminal', () => {
  const output = outputOf(false);
  play(output, 1_500);
  expect(output.written).toEqual([
    'Items read: 500 of 1,500\n',
    'Items read: 1,000 of 1,500\n',
    'Items read: 1,500 of 1,500\n',
  ]);
});

test('On a terminal, progress is a bar on one line, which disappears at the end', () => {
  const output = outputOf(true);
  play(output, 1_500);
  expect(output.written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true);
  expect(output.written).toContain('\r\u001b[KItems read [████████████░░░░░░░░░░░░] 800 of 1,500');
  expect(output.written.at(-1)).toBe('\r\u001b[K');
});

test('The total may be unknown, or become known later', () => {
  const output = outputOf(false);
  play(output);
  expect(output.written.at(-1)).toBe('Items read: 1,500\n');
  const later = outputOf(true);
  {
    using progress = startProgress('Items read', undefined, later);
    progress.expect(200);
    vi.advanceTimersByTime(200);
    progress.advance(100);
  }
  expect(later.written[1]).toContain('100 of 200');
});

test('A narrow terminal shows as much as fits on its line', () => {
  const output = outputOf(true, 20);
  play(output, 1_500);
  expect(Math.max(...output.written.map((text) => text.replace('\r\u001b[K', '').length))).toBe(19);
});
