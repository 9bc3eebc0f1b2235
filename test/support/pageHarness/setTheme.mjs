/** Gives the body the classes that VS Code gives it for a kind of theme; a light one of high contrast has two. */
export function setTheme(kind) {
  document.body.className = `vscode-${kind}`;
  if (kind === 'high-contrast-light') document.body.classList.add('vscode-high-contrast');
}
