import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../../../lib/console/data/client.ts';
import { saveEdits, type Versioned } from '../../../../lib/console/data/save-edits.ts';

interface Edits {
  readonly title: string;
  readonly rollout: string;
}

const opened: Versioned<Edits> = { value: { title: 'Beta', rollout: '25' }, etag: '"1"' };
const mine: Edits = { title: 'Beta', rollout: '50' };
const stale = new Refusal(412, { message: 'There is a newer version.' });

/** Stands for the service: it takes edits of its version alone. */
function serviceWith(current: Versioned<Edits> | undefined) {
  const send = vi.fn(async (_edits: Edits, { etag }: Versioned<Edits>) => {
    if (etag !== current?.etag) throw stale;
  });
  return { send, loadCurrent: async () => current };
}

describe('Edits that are saved', () => {
  test('are sent once where nobody else has changed anything', async () => {
    const service = serviceWith(opened);
    expect(await saveEdits({ opened, mine, ...service })).toBeUndefined();
    expect(service.send).toHaveBeenCalledExactlyOnceWith(mine, opened);
  });

  test('are sent again with those of somebody else who changed other parts, and nobody is asked', async () => {
    const current = { value: { title: 'Testers', rollout: '25' }, etag: '"2"' };
    const service = serviceWith(current);
    expect(await saveEdits({ opened, mine, ...service })).toBeUndefined();
    expect(service.send).toHaveBeenLastCalledWith({ title: 'Testers', rollout: '50' }, current);
  });

  test('are not saved where somebody else changed the same part', async () => {
    const current = { value: { title: 'Beta', rollout: '75' }, etag: '"2"' };
    const service = serviceWith(current);
    expect(await saveEdits({ opened, mine, ...service })).toEqual({
      merged: mine,
      current,
      conflicts: [{ part: 'rollout', opened: '25', mine: '50', theirs: '75' }],
    });
    expect(service.send).toHaveBeenCalledTimes(1);
  });

  test('are refused where somebody else has deleted the thing', async () => {
    await expect(saveEdits({ opened, mine, ...serviceWith(undefined) })).rejects.toMatchObject({ status: 404 });
  });

  test('give up after some attempts where the thing changes all the time', async () => {
    const send = vi.fn(async () => Promise.reject(stale));
    const loadCurrent = async () => ({ value: opened.value, etag: '"2"' });
    await expect(saveEdits({ opened, mine, send, loadCurrent })).rejects.toBe(stale);
    expect(send).toHaveBeenCalledTimes(5);
  });

  test('pass every other refusal on', async () => {
    const refusal = new Refusal(400, { message: 'The share is a number.' });
    const send = async () => Promise.reject(refusal);
    await expect(saveEdits({ opened, mine, send, loadCurrent: async () => opened })).rejects.toBe(refusal);
  });
});
