import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { processTimeOf } from './process-time.ts';

/** Uses the processor for so long, however much of it others leave. */
const spin = 'while (process.cpuUsage().user < 300_000);';

test('what descends from a server counts as its store, apart from the server itself', async () => {
  // A shell that waits for a child which uses the processor, and then says so.
  const script = `"${process.execPath}" -e "${spin} console.log(1); setTimeout(() => {}, 60_000)" & wait`;
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const { pid = 0 } = shell;
  try {
    await once(shell.stdout, 'data');
    const { server, store } = processTimeOf([pid]) ?? { server: 0, store: 0 };
    // How long a shell takes to start depends on the machine; it takes less than the child that spins.
    expect(store).toBeGreaterThan(0.1);
    expect(server).toBeLessThan(store);
  } finally {
    process.kill(-pid);
  }
});

test('the time of a process that is not there is not known', () => {
  expect(processTimeOf([2 ** 30])).toBeUndefined();
  expect(processTimeOf([])).toBeUndefined();
});
