const vscode = require('vscode');

/** Bring the chat panel into view, so that nobody has to look for it. */
exports.activate = async function activate() {
  await vscode.commands.executeCommand('parley.openChat');
};
