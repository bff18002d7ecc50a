import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Command } from '../parts/forms/command.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { buildSteps } from './move-steps.ts';

const comesOver = [
  'projects, environments, flags with strategies and variants, also archived ones',
  'segments, context fields, tags, links, dependencies',
  'people, groups, roles and access, without passwords',
  'tokens of SDKs with their secrets: applications keep them',
  'release plans and their templates, without safeguards',
  'integrations without their secrets, banners, and the whole history',
];

const staysBehind = [
  'passwords: people get a link, or sign on as before',
  'admin tokens and personal tokens: create new ones for scripts',
  'secrets of integrations and of single sign-on: enter them here',
  'open change requests: apply them before, or ask again here',
  'safeguards of release plans: add them here',
  'signals and actions: they do not exist here',
];

/** The move from Unleash step by step: what its command does, and what to type. */
export function FromUnleash(): JSX.Element {
  const [old, setOld] = useState('');
  return (
    <>
      <section class="section" aria-labelledby="move-what">
        <h2 id="move-what">What moves</h2>
        <p class="section-note">
          The old server gets only GET requests, so it can take over again at any time. SDKs get identical results from
          both servers, and keep their tokens.
        </p>
        <div class="move-lists">
          <List title="Comes over" items={comesOver} />
          <List title="Stays behind" items={staysBehind} />
        </div>
      </section>
      <section class="section" aria-labelledby="move-how">
        <h2 id="move-how">Step by step</h2>
        <p class="section-note">
          The commands run where Flagstaff is installed, since they need a token of the old server. Nothing is typed
          into this page but the address.
        </p>
        <div class="move-address">
          <TextField
            label="Address of the old server"
            type="url"
            inputMode="url"
            placeholder="Such as https://unleash.example.com"
            value={old}
            onInput={(value) => setOld(value.trim())}
          />
        </div>
        <ol class="move-steps">
          {buildSteps(old, location.origin).map(({ title, text, address, command = address }) => (
            <li key={title} class="card">
              <h3>{title}</h3>
              <p>{text}</p>
              {command !== undefined && <Command text={command} />}
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }): JSX.Element {
  return (
    <div class="card form-card">
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
