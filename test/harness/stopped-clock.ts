import { vi } from 'vitest';

/**
 * Lets no time pass for as long as the block lasts that uses it: what a process knows for some seconds does not become due
 * for a check meanwhile, however busy the machine is. Timers run on, and `new Date()` tells the time.
 */
export function stoppedClock(): Disposable {
  const clocks = [
    vi.spyOn(Date, 'now').mockReturnValue(Date.now()),
    vi.spyOn(performance, 'now').mockReturnValue(performance.now()),
  ];
  return {
    [Symbol.dispose]() {
      for (const clock of clocks) clock.mockRestore();
    },
  };
}
