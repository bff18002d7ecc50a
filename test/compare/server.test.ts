import { expect, test } from 'vitest';
import { listeningInTest } from '../harness/listening.ts';
import { ComparedServer } from './server.ts';
import { stepsOf } from './step.ts';

const [step] = stepsOf({ 'open a stream': 'GET /stream' });

test('a stream, which has no end, is compared by its status', async () => {
  const url = await listeningInTest((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: connected\n\n');
  });
  expect(await new ComparedServer('A server', url, {}).send(step as never)).toMatchObject({ status: 200, body: '' });
});

test('a server that gives no answer is named with the step', async () => {
  const url = await listeningInTest((_request, response) => void response.destroy());
  const sent = new ComparedServer('A server', url, {}).send(step as never);
  await expect(sent).rejects.toThrow('A server gave no answer to "open a stream"');
});
