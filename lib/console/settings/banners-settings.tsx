import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownBanner } from '../../banners/banner-schema.ts';
import { deleteBanner, getBanners, toggleBannerOff, toggleBannerOn } from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Pill } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { describeTime } from '../words/times.ts';
import { BannerDialog } from './banner-dialog.tsx';
import { reloadBanners } from './reload-banners.ts';

const path = getBanners({});

/** The messages above all pages. */
export function BannersSettings(): JSX.Element {
  const { value, problem } = useRead(path);
  const [edited, setEdited] = useState<ShownBanner | 'new'>();
  const [removed, setRemoved] = useState<ShownBanner>();
  return (
    <section class="section" aria-labelledby="banners">
      <div class="section-head">
        <h2 id="banners">Banners</h2>
        <Button icon="plus" onClick={() => setEdited('new')}>
          New banner
        </Button>
      </div>
      <p class="section-note">Everybody sees them above every page, for example before a maintenance.</p>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      <div class="card">
        {value === undefined && problem === undefined && <Skeleton rows={3} />}
        {value?.banners.length === 0 && (
          <Empty
            icon="message-square"
            title="There is no banner"
            action={
              <Button icon="plus" onClick={() => setEdited('new')}>
                New banner
              </Button>
            }
          >
            Tell everybody what they should know before they change a flag.
          </Empty>
        )}
        <ul>
          {value?.banners.map((banner) => (
            <Row key={banner.id} banner={banner} onEdit={() => setEdited(banner)} onRemove={() => setRemoved(banner)} />
          ))}
        </ul>
      </div>
      {edited !== undefined && (
        <BannerDialog banner={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed !== undefined && (
        <Confirm
          title="Delete this banner?"
          verb="Delete"
          isDanger
          act={async () => {
            await deleteBanner({ id: removed.id });
            await reloadBanners();
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>“{removed.message}” is gone for everybody. To show it again later, switch it off instead.</p>
        </Confirm>
      )}
    </section>
  );
}

const states = { off: 'Off', scheduled: 'Later', shown: 'Shown', over: 'Over' } as const;
const variants = { info: 'Information', warning: 'Warning', error: 'Error', success: 'Success' } as const;
const tones = { info: 'info', warning: 'warn', error: 'bad', success: 'on' } as const;

interface RowProps {
  readonly banner: ShownBanner;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Row({ banner, onEdit, onRemove }: RowProps): JSX.Element {
  const { id, message, variant, state, from, to } = banner;
  const times = [
    ...(from === null ? [] : [`from ${describeTime(from)}`]),
    ...(to === null ? [] : [`until ${describeTime(to)}`]),
  ];
  async function turn(isOn: boolean): Promise<void> {
    await attempt(async () => {
      await (isOn ? toggleBannerOn({ id }) : toggleBannerOff({ id }));
      showMessage(isOn ? 'Everybody sees it' : 'Nobody sees it', { undo: () => void turn(!isOn) });
    });
    await reloadBanners();
  }
  return (
    <li class="setting-row">
      <Pill tone={tones[variant]}>{variants[variant]}</Pill>
      <div class="grow">
        <p>{message}</p>
        <p class="muted">{[states[state], ...times].join(' · ')}</p>
      </div>
      <Switch isOn={state === 'shown'} label={message.slice(0, 80)} onSwitch={turn} />
      <Button kind="quiet" aria-label={`Edit “${message.slice(0, 80)}”`} onClick={onEdit}>
        Edit
      </Button>
      <Button kind="quiet" aria-label={`Delete “${message.slice(0, 80)}”`} onClick={onRemove}>
        Delete
      </Button>
    </li>
  );
}
