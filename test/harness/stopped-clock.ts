import { vi } from 'vitest';

/**
 * Lets no time pass for as long as the block lasts that uses it, but what it lets pass: what a process knows for some
 * seconds does not become due for a check meanwhile, however busy the machine is. Timers run on, and `new Date()` tells the
 * time.
 */
export function stoppedClock(): Disposable & { pass(milliseconds: number): void } {
  let passed = 0;
  const clocks = [Date, performance].map((clock) => {
    const start = clock.now();
    return vi.spyOn(clock, 'now').mockImplementation(() => start + passed);
  });
  return {
    pass(milliseconds) {
      passed += milliseconds;
    },
    [Symbol.dispose]() {
      for (const clock of clocks) clock.mockRestore();
    },
  };
}
