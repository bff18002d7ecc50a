/** How far a project has come: it has no live feature, it has one, or applications use its features. */
export function onboardingStep(
  hasFeature: boolean,
  lastUse: string | undefined,
): 'onboarding-started' | 'first-flag-created' | 'onboarded' {
  if (lastUse !== undefined) return 'onboarded';
  return hasFeature ? 'first-flag-created' : 'onboarding-started';
}
