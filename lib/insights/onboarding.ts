/** Returns the onboarding step of a project: no live feature, one or more, or use by applications. */
export function onboardingStep(
  hasFeature: boolean,
  lastUse: string | undefined,
): 'onboarding-started' | 'first-flag-created' | 'onboarded' {
  if (lastUse !== undefined) return 'onboarded';
  return hasFeature ? 'first-flag-created' : 'onboarding-started';
}
