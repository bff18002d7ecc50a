import { expect, test } from 'vitest';
import { operations } from '../functions/common/operations.ts';
import { eventOf } from './event.ts';

test.each(operations)(
  'the event file of $operationId is what its declaration and its example make; "npm run events" writes it',
  async (operation) => {
    const text = `${JSON.stringify(eventOf(operation), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${operation.operationId}.json`);
  },
);
