import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BannerInput, ShownBanner } from '../../banners/banner-schema.ts';
import { createBanner, updateBanner } from '../calls/settings.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea, TextField } from '../parts/forms/text-field.tsx';
import { Banner } from '../parts/states.tsx';
import { fromLocalTime, toLocalTime } from '../words/times.ts';
import { reloadBanners } from './reload-banners.ts';

interface DialogProps {
  /** The banner that is edited; undefined for a new one. */
  readonly banner: ShownBanner | undefined;
  readonly onClose: () => void;
}

const choices = [
  ['info', 'Information'],
  ['warning', 'Warning'],
  ['error', 'Error'],
  ['success', 'Success'],
] as const;

const tones = { info: 'info', success: 'info', warning: 'warn', error: 'bad' } as const;

/** A banner as a form, with a preview of what everybody will see. */
export function BannerDialog({ banner, onClose }: DialogProps): JSX.Element {
  const [message, setMessage] = useState(banner?.message ?? '');
  const [variant, setVariant] = useState(banner?.variant ?? 'info');
  const [link, setLink] = useState(banner?.link ?? '');
  const [linkText, setLinkText] = useState(banner?.linkText ?? '');
  const [from, setFrom] = useState(localOr(banner?.from));
  const [to, setTo] = useState(localOr(banner?.to));

  async function save(): Promise<void> {
    const { icon, dialog, dialogTitle } = banner ?? {};
    const body: BannerInput = {
      ...{ message: message.trim(), variant, sticky: banner?.sticky ?? false, enabled: banner?.state !== 'off' },
      ...{ from: fromLocalTime(from) ?? null, to: fromLocalTime(to) ?? null },
      ...(link !== '' && { link }),
      ...(linkText !== '' && { linkText }),
      // Properties that only other clients edit stay.
      ...(icon !== undefined && { icon }),
      ...(dialog !== undefined && { dialog }),
      ...(dialogTitle !== undefined && { dialogTitle }),
    };
    await (banner === undefined ? createBanner({}, { body }) : updateBanner({ id: banner.id }, { body }));
    await reloadBanners();
  }

  return (
    <Confirm
      kind="wide"
      title={banner === undefined ? 'New banner' : 'Edit the banner'}
      verb={banner === undefined ? 'Create' : 'Save'}
      isDisabled={message.trim() === ''}
      act={save}
      onClose={onClose}
    >
      <TextArea label="Message" rows={2} maxLength={2_000} value={message} onInput={setMessage} />
      <SelectField label="Kind" value={variant} options={choices} onChoose={setVariant} />
      <div class="form-pair">
        <TextField label="From" hint="Empty: at once." type="datetime-local" value={from} onInput={setFrom} />
        <TextField
          label="Until"
          hint="Empty: until somebody switches it off."
          type="datetime-local"
          value={to}
          onInput={setTo}
        />
      </div>
      <div class="form-pair">
        <TextField
          label="Link, if it needs one"
          placeholder="Such as https://status.example.com"
          value={link}
          onInput={setLink}
        />
        <TextField label="Words of the link" value={linkText} onInput={setLinkText} />
      </div>
      {message.trim() !== '' && (
        <div>
          <h3>Everybody sees</h3>
          <Banner tone={tones[variant]} icon="info" title={message} />
        </div>
      )}
    </Confirm>
  );
}

function localOr(time: string | null | undefined): string {
  return time === null || time === undefined ? '' : toLocalTime(time);
}
