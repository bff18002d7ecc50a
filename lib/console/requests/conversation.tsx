import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addChangeRequestComment } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Avatar } from '../parts/small.tsx';
import { listHistory } from './list-history.ts';
import type { PartProps } from './request-parts.ts';

/** The history of a request: its steps and its comments, the oldest first, and a field for a new comment. */
export function Conversation({ page, path }: PartProps): JSX.Element {
  const [text, setText] = useState('');
  const { isBusy, problems, send } = useSending();
  const { request } = page;
  async function comment(): Promise<void> {
    if (text.trim() === '') return;
    await send(async () => {
      await addChangeRequestComment({ projectId: request.project, id: request.id }, { body: { text: text.trim() } });
      setText('');
      await reload(path);
    });
  }
  return (
    <section class="card" aria-labelledby="conversation">
      <header class="card-head">
        <h2 id="conversation">Conversation</h2>
      </header>
      <ol class="story">
        {listHistory(page).map(({ at, person, text: step, comment: words }, index) => (
          <li key={`${at} ${index}`}>
            {person === undefined ? <Icon name="check" size={20} /> : <Avatar name={person} />}
            <div class="grow">
              <p>
                {person !== undefined && <b>{person}</b>} {step} <Ago time={at} />
              </p>
              {words !== undefined && <p class="story-comment">{words}</p>}
            </div>
          </li>
        ))}
      </ol>
      <form
        class="comment-form"
        onSubmit={(event) => {
          event.preventDefault();
          void comment();
        }}
      >
        <TextArea
          label="Comment"
          problem={problems[0]}
          rows={2}
          maxLength={1_000}
          value={text}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void comment();
          }}
          onInput={setText}
        />
        <Button type="submit" isBusy={isBusy} isDisabled={text.trim() === ''}>
          Comment
        </Button>
      </form>
    </section>
  );
}
