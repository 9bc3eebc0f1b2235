import { parseColour, readableOn } from '../../core/terminal/readable';

const NAMES = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
const ALL = ['', 'Bright'].flatMap((strength) =>
  NAMES.map((name) => `--vscode-terminal-ansi${strength}${name}`),
);

let watched = false;

/** Gives the theme's 16 colours of a terminal, by number, so that each can be read on the terminal's background. */
function setColours(): void {
  const { body, documentElement } = document;
  const theme = getComputedStyle(documentElement);
  const colour = (name: string) => parseColour(theme.getPropertyValue(name));
  const background = colour('--vscode-terminal-background') ?? colour('--vscode-editor-background');
  ALL.forEach((name, number) => {
    const own = colour(name);
    if (own && background)
      body.style.setProperty(`--ansi-${number}`, `rgb(${readableOn(own, background).join(' ')})`);
    else body.style.removeProperty(`--ansi-${number}`);
  });
}

/** Keeps the colours of terminals readable, as VS Code does in its own, whatever the theme becomes; to be called by what shows one. */
export function watchTerminalColours(): void {
  if (watched) return;
  watched = true;
  setColours();
  // VS Code writes the variables of a theme there; ours are on the body.
  const observer = new MutationObserver(setColours);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
