import type { JSX } from 'preact';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { CopyDialog, MoveDialog } from './copy-dialog.tsx';
import { EditFlag } from './edit-flag.tsx';
import { ParentDialog, type ParentDialogProps } from './parent-dialog.tsx';

export interface FlagDialogsProps {
  readonly flag: ConsoleFlag;
  readonly opened: 'edit' | 'parent' | 'copy' | 'move';
  readonly onChange: ParentDialogProps['onChange'];
  readonly onClose: () => void;
}

/** The dialogs for acts on a flag. They are loaded when the first one is opened. */
export function FlagDialogs({ flag, opened, onChange, onClose }: FlagDialogsProps): JSX.Element {
  const { name, project } = flag.feature;
  switch (opened) {
    case 'edit':
      return <EditFlag flag={flag} onClose={onClose} />;
    case 'parent':
      return <ParentDialog flag={flag} onChange={onChange} onClose={onClose} />;
    case 'copy':
      return <CopyDialog project={project} feature={name} onClose={onClose} />;
    case 'move':
      return <MoveDialog project={project} feature={name} version={flag.version} onClose={onClose} />;
  }
}
