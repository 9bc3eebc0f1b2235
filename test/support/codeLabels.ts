/** What the buttons of code blocks are called where their names do not matter. */
export const codeLabels = {
  copyCode: 'Copy code',
  insertCode: 'Insert at cursor',
  applyCode: 'Apply to file…',
  openCode: 'Open as document',
};
