/** Selector of a dialogue. */
export const dialog = '[role=dialog]';
/** The field that a label stands at. */
export const fieldOf = (label: string) => `::-p-xpath(//label[starts-with(., "${label}")]/following::input[1])`;
export const named = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
export const byId = (id: string) => `[data-testid="${id}"]`;
