import { describe, expect, test } from 'vitest';
import {
  describeDecision,
  describeDraft,
  isTitled,
  nameRequest,
} from '../../../../lib/console/words/change-requests.ts';

describe('the words about change requests', () => {
  test('say how many approvals a change needs, and that approval alone applies nothing', () => {
    expect(describeDraft('production')).toBe(
      'Changes in production need one approval. Yours goes into your draft, which you then send for review, or into your request that waits there already. After approval, you or an approver applies it.',
    );
    expect(describeDraft('production', 2)).toContain('need 2 approvals');
  });

  test('name a request by its title, and one without a title by its number', () => {
    expect(nameRequest({ id: 7, title: 'New prices' })).toBe('New prices');
    expect(nameRequest({ id: 7 })).toBe('Change request 7');
    expect(nameRequest({ id: 7, title: 'Change request #7' })).toBe('Change request 7');
  });

  test('tell a title that somebody gave from the name of the API for none', () => {
    const titles = ['New prices', undefined, 'Change request #7', 'Change request #8'];
    expect(titles.map((title) => isTitled({ id: 7, title }))).toEqual([true, false, false, true]);
  });

  test('name the people or the reason behind an event', () => {
    expect(describeDecision({ id: 7, author: 'Ada', approvedBy: [] })).toBe('Change request 7 by Ada');
    expect(describeDecision({ id: 7, author: 'Ada', approvedBy: ['Bea', 'Cem'] })).toBe(
      'Change request 7 by Ada, approved by Bea, Cem',
    );
    expect(describeDecision({ id: 7, author: 'Ada', approvedBy: [], override: 'Errors' })).toBe(
      'By an override of approval: “Errors”',
    );
  });
});
