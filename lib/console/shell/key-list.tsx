import './key-list.css';
import type { JSX } from 'preact';
import { areKeysShown } from '../browser/shortcuts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';

const command = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, act: string])[]])[] = [
  [
    'Everywhere',
    [
      [`${command} K`, 'Find a flag, a project or a page'],
      ['/', 'Search in the list'],
      ['c', 'Create a flag'],
      [`${command} Enter`, 'Send the form'],
      ['?', 'Show these keys'],
    ],
  ],
  [
    'Go to',
    [
      ['g f', 'Flags'],
      ['g r', 'Reviews'],
      ['g e', 'Events'],
      ['g n', 'Now'],
      ['g p', 'Projects'],
    ],
  ],
  [
    'In a list',
    [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['x', 'Select a row'],
      ['s', 'Star a row'],
    ],
  ],
  [
    'On a page',
    [
      ['e', 'Edit the flag'],
      ['a', 'Approve the change request'],
    ],
  ],
];

/** The keys that one can press instead of a click, which `?` shows. */
export function KeyList(): JSX.Element {
  const close = () => (areKeysShown.value = false);
  return (
    <Dialog title="Keys" kind="wide" onClose={close} actions={<Button onClick={close}>Close</Button>}>
      <div class="key-list">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([pressed, act]) => (
                <div key={pressed}>
                  <dt>
                    {pressed.split(' ').map((each) => (
                      <kbd key={each}>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{act}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
