import { expect, test, vi } from 'vitest';
import { startStreams } from '../../../infra/local/streams.ts';
import { sharedWorld } from '../../specifications/specify.ts';

const { service } = sharedWorld();

test('A file that cannot be read for a while does not end the server', async () => {
  process.env.TABLE_NAME = service.table.store.name;
  const readVersion = vi.fn(() => 1);
  readVersion
    .mockImplementationOnce(() => 1)
    .mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
  const streams = await startStreams({ streamsLimit: 10 }, { readVersion });
  await vi.waitFor(() => expect(readVersion.mock.calls.length).toBeGreaterThan(2));
  streams.close();
});
