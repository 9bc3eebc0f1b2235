/** Every text of the rules page, in English; `{0}` and `{1}` stand for what is put in. */
export const englishRulesStrings = {
  rulesTitle: 'Permission rules',
  rulesIntro:
    'Rules answer what agents ask for, before you are asked. Of those that match, deny wins over ask, and ask over allow. Where none matches, you are asked.',

  scopeSession: 'This session',
  scopeWorkspace: 'This workspace',
  scopeUser: 'All workspaces',
  scopeSessionHint: '{0}. These rules end with the window.',
  scopeNoSession: 'No session is open, so there is nothing that rules could be for.',
  scopeWorkspaceHint: 'Kept in the settings of the workspace.',
  scopeUserHint: 'Kept in your own settings.',
  untrusted: 'You do not trust this workspace, so its rules are ignored.',
  noRules: 'No rules.',
  addRule: 'Add rule',
  addRuleTo: 'Add rule: {0}',
  editRule: 'Edit: {0}',
  deleteRule: 'Delete: {0}',
  ruleDeleted: 'Deleted: {0}',
  undoDelete: 'Undo',

  effectAllow: 'Allow',
  effectAsk: 'Ask',
  effectDeny: 'Deny',
  fieldEffect: 'Decision',
  fieldAgent: 'Agent',
  fieldKind: 'Kind',
  fieldCommand: 'Command',
  fieldPath: 'Path',
  fieldTool: 'Tool',
  fieldAlways: 'Also answer the agent with "always", where it offers that',
  fieldExact: 'Only this command as it is, with nothing after it',
  always: 'always',
  anyAgent: 'Every agent',
  anyKind: 'Every kind',
  everything: 'Everything',
  commandHint: 'The first words, such as npm test. For allow, every part of a command must match a rule.',
  pathHint: 'Such as src/**, ~/notes/* or an absolute path.',
  toolHint: 'Such as mcp__github__*',
  saveRule: 'Save rule',
  cancelRule: 'Cancel',
  broadRule: 'Yes, allow any command without asking me',
  wrongCommand:
    'A rule that allows takes one plain command: no operators, no redirections, no variables before it.',
  wrongPath: 'This pattern cannot be used: no "..", no "/" in braces, at most three stars in one name.',
  wrongTool: 'This pattern cannot be used: at most three stars.',
  wrongBroad: 'This would allow any command. Fill in a field, or confirm it.',
  notSaved: 'The rules were not saved: {0}',

  problemNotList: 'The setting is not a list of rules, so it is ignored.',
  problemAllow: 'Entry {0} of the setting is not a valid rule and is ignored. Saving here removes it.',
  problemField:
    'Entry {0} of the setting has something that is not understood: "{1}". A rule that allows is ignored; one that asks or denies matches more. Saving here removes it.',

  testTitle: 'Try it out',
  testHint: 'What would happen if an agent asked for this? Nothing is run.',
  testNothing: 'Fill in a command, a path or a tool.',
  outcomeAllow: 'Allowed',
  outcomeAsk: 'You are asked',
  outcomeDeny: 'Denied',
  byRules: 'By {0}',
  byNone: 'No rule decides this.',
  ruleIn: '{0} ({1})',
  partsTitle: 'Parts of the command',
  partNone: 'no rule allows it',
  notSure:
    'Not all of this command is understood for certain, for example because it writes into a file, sets a variable, or uses a loop. So rules for commands do not allow it.',
  linksNotFollowed:
    'Links are not followed here. For an agent, the place that a link leads to must match too.',

  auditTitle: 'What rules decided',
  auditEmpty: 'No rule has decided anything yet.',
  auditTime: 'Time',
  auditWhat: 'Request',
  auditDecision: 'Decision',
  auditRule: 'Rule',
} as const;

/** Key of a text of the rules page. */
export type RulesString = keyof typeof englishRulesStrings;

/** The texts of the rules page in the language of the person. */
export type RulesStrings = Record<RulesString, string>;
