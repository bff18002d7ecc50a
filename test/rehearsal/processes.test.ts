import { expect, test } from 'vitest';
import { RehearsalProblem, runOrThrow, runProcess, start } from './processes.ts';

const { PATH } = process.env;
const options = (signal = new AbortController().signal) => ({ env: { PATH }, signal });

/** The arguments of a shell that starts a child process with the same output, and prints that. Both would run for a minute. */
const parent = ['-c', 'sleep 60 & echo started; wait'];

const startParent = async (signal?: AbortSignal) => {
  const running = start('sh', parent, options(signal));
  await expect.poll(running.output).toBe('started\n');
  return running;
};

test('the result of a command has its exit code and its output', async () => {
  const finished = await runProcess('sh', ['-c', 'echo out; echo err >&2; exit 3'], options());
  expect(finished).toMatchObject({ code: 3, stdout: 'out\n' });
  expect(finished.output).toContain('err');
});

test('the error of a missing or failed command names the command and has its output', async () => {
  await expect(runProcess('no-such-command', [], options())).rejects.toThrow(/no-such-command cannot be run/);
  await expect(runOrThrow('sh', ['-c', 'echo broken; exit 1'], options())).rejects.toThrow(/failed:\nbroken/);
});

test('stopping a process also stops its child processes', async () => {
  const running = await startParent();
  await running.stop();
  // The process counts as ended only when no process has its output open.
  await running.ended;
});

test('running processes and their child processes end when the signal fires', async () => {
  const controller = new AbortController();
  const running = await startParent(controller.signal);
  const waiting = runProcess('sh', parent, options(controller.signal));
  controller.abort(new RehearsalProblem('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  await running.ended;
});
