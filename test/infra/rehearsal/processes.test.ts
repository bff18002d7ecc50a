import { expect, test } from 'vitest';
import { RehearsalProblem } from '../../../infra/rehearsal/problem.ts';
import { runProcess, runWell, start } from '../../../infra/rehearsal/processes.ts';

const { PATH } = process.env;
const options = (signal = new AbortController().signal) => ({ env: { PATH }, signal });

/** Starts another process, which holds on to the same output, and says so; both would go on for a minute. */
const parent = ['-c', 'sleep 60 & echo started; wait'];

const startParent = async (signal?: AbortSignal) => {
  const running = start('sh', parent, options(signal));
  await expect.poll(running.output).toBe('started\n');
  return running;
};

test('a command is run to its end, and what it printed is known', async () => {
  const finished = await runProcess('sh', ['-c', 'echo out; echo err >&2; exit 3'], options());
  expect(finished).toMatchObject({ code: 3, stdout: 'out\n' });
  expect(finished.output).toContain('err');
});

test('a command that is missing, or has to succeed and fails, is a problem that says what it was', async () => {
  await expect(runProcess('no-such-command', [], options())).rejects.toThrow(/no-such-command cannot be run/);
  await expect(runWell('sh', ['-c', 'echo broken; exit 1'], options())).rejects.toThrow(/failed:\nbroken/);
});

test('a process is stopped with all that it started', async () => {
  const running = await startParent();
  await running.stop();
  // It has ended only when nobody has its output any more.
  await running.ended;
});

test('what is under way ends, with all that it started, when the rehearsal is to end', async () => {
  const controller = new AbortController();
  const running = await startParent(controller.signal);
  const waiting = runProcess('sh', parent, options(controller.signal));
  controller.abort(new RehearsalProblem('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  await running.ended;
});
