/** Selector of a dialogue. */
export const dialog = '[role=dialog]';
/** The field that a label stands at. */
export const fieldOf = (label: string) => `::-p-xpath(//label[starts-with(., "${label}")]/following::input[1])`;
export const named = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
export const byId = (id: string) => `[data-testid="${id}"]`;
/** A button whose text begins with another one. */
export const button = (text: string) => `::-p-xpath(//button[starts-with(normalize-space(.), "${text}")])`;
export const item = (text: string) => `::-p-xpath(//*[@role="menuitem" or self::li][normalize-space(.)="${text}"])`;
/** A button of the dialogue with a text. */
export const inDialog = (text: string, name: string) =>
  `::-p-xpath(//*[@role="dialog"][contains(., "${text}")]//button[normalize-space(.)="${name}"])`;
