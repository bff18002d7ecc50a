import type { JSX } from 'preact';
import { type ChoiceCard, ChoiceCards } from '../parts/forms/choice-cards.tsx';

export type ProjectMode = 'open' | 'protected' | 'private';

const modes: readonly ChoiceCard<ProjectMode>[] = [
  { value: 'open', title: 'Open', text: 'Everybody sees it.' },
  { value: 'protected', title: 'Protected', text: 'Everybody sees it. Only members should change it.' },
  { value: 'private', title: 'Private', text: 'Only its members and Admins see it.' },
];

interface ProjectModesProps {
  readonly value: ProjectMode;
  readonly onChoose: (mode: ProjectMode) => void;
  readonly isDisabled?: boolean;
}

/** The choice of who sees a project. */
export function ProjectModes({ value, onChoose, isDisabled = false }: ProjectModesProps): JSX.Element {
  return <ChoiceCards label="Who sees it?" cards={modes} value={value} onChoose={onChoose} isDisabled={isDisabled} />;
}
