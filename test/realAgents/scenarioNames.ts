/** The scenarios in the order of the table. */
export const scenarioNames = [
  'text',
  'read',
  'edit',
  'write',
  'shell',
  'reject',
  'search',
  'parallel',
  'cancel',
  'cancel during shell',
  'cancel with permission open',
  'flood',
  'error',
  'options',
  'commands',
  'image',
  'load or resume',
  'unauthenticated',
  'no capabilities',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];
