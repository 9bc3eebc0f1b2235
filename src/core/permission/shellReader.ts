/** Commands within commands that are followed. Deeper ones are not understood. */
const MAX_DEPTH = 20;

const REDIRECTION = /\d*(?:&>>|&>|<<<|<<-?|<>|<&|>&|>>|>\||<(?!\()|>(?!\())/y;
const OPERATOR = /&&|\|\||\|&|[;|&\n]/y;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const KEYWORDS = new Set(
  'if then elif else fi for while until do done case esac in select function coproc ! [['.split(' '),
);

/** Commands that change what later words mean, or run their words as a line. */
const MEANING = new Set(
  (
    'eval source . alias unalias trap export declare typeset readonly local set shopt enable hash emulate ' +
    'setopt autoload builtin'
  ).split(' '),
);

/** A word as the shell would hand it on. `odd`: it has an expansion or a pattern, so it may become something else. */
interface Word {
  text: string;
  odd: boolean;
}

/**
 * Reads a line of a POSIX shell into its simple commands, by one strict pass. What is not understood for certain makes `sure` false;
 * the parts are then still those that were found, so that a rule that denies has something to match. With `windows` the line may be
 * one of cmd, PowerShell or a POSIX shell, and what these read differently is not sure either.
 */
export class ShellReader {
  readonly parts: string[][] = [];
  sure = true;
  private at = 0;
  private words: Word[] = [];
  /** A `( … )` stands where the command would. */
  private group = false;
  /** After `&&`, `||` or `|` a command must follow. */
  private pending = false;
  private braces = 0;
  private level = 0;

  constructor(
    private readonly text: string,
    private readonly windows: boolean,
    private readonly depth = 0,
  ) {
    // Controls other than tab and newline, and what only looks like a blank.
    if (/[^\P{C}\t\n]|[^\P{Z} ]/u.test(text)) this.sure = false;
    // Also what PowerShell takes for quotes.
    if (windows && /[%^`'$(){}@\u2018-\u201e]/.test(text)) this.sure = false;
  }

  read(): this {
    if (this.depth > MAX_DEPTH) this.sure = false;
    else this.list('');
    if (this.braces !== 0) this.sure = false;
    return this;
  }

  /** Reads commands up to `end`, which is consumed. */
  private list(end: ')' | ''): void {
    const outer = { words: this.words, group: this.group, pending: this.pending };
    this.begin();
    this.pending = false;
    let open = true;
    while (open && this.at < this.text.length) open = this.step(end);
    if (open && end) this.sure = false;
    this.finish();
    if (this.pending) this.sure = false;
    Object.assign(this, outer);
  }

  private begin(): void {
    this.words = [];
    this.group = false;
  }

  /** Reads the next token; false at the end of the list. */
  private step(end: string): boolean {
    if (this.take(/(?:[ \t]|\\\n)+/y) !== undefined) return true;
    const next = this.text[this.at];
    if (next === '#' && !this.windows) return this.take(/[^\n]*/y) !== undefined;
    if (next === ')') return this.close(end);
    if (next === '(') return this.open();
    const redirection = this.take(REDIRECTION);
    if (redirection !== undefined) return this.redirect(redirection);
    const operator = this.take(OPERATOR);
    if (operator !== undefined) return this.operator(operator);
    if (this.group) this.sure = false;
    this.words.push(this.word());
    return true;
  }

  private close(end: string): boolean {
    this.at++;
    if (end === ')') return false;
    this.sure = false;
    this.finish();
    return true;
  }

  private open(): true {
    // `((` is arithmetic, `word(` a function or a pattern of zsh.
    if (this.words.length > 0 || this.group || this.text[this.at + 1] === '(') this.sure = false;
    this.at++;
    this.nested();
    this.group = true;
    return true;
  }

  private nested(): void {
    if (++this.level > MAX_DEPTH) {
      this.sure = false;
      this.at = this.text.length;
    }
    const braces = this.braces;
    this.braces = 0;
    this.list(')');
    if (this.braces !== 0) this.sure = false;
    this.braces = braces;
    this.level--;
  }

  private operator(operator: string): true {
    const empty = this.words.length === 0 && !this.group;
    if (empty && operator !== '\n') this.sure = false;
    this.finish();
    if (!empty || operator !== '\n') this.pending = !/^[;&\n]$/.test(operator);
    return true;
  }

  private redirect(operator: string): true {
    const kind = operator.replace(/^\d+/, '');
    this.take(/(?:[ \t]|\\\n)+/y);
    const { text, odd } = this.word();
    const duplicates = (kind === '>&' || kind === '<&') && /^(\d+|-)$/.test(text);
    const reads = kind === '<' && text !== '' && !/^\/dev\/(tcp|udp)\//.test(text);
    const discards = text === '/dev/null' && kind !== '<>' && !kind.startsWith('<<');
    if (odd || !(duplicates || reads || discards)) this.sure = false;
    return true;
  }

  /** Ends a simple command: keywords and assignments before it are left out, and make it unsure. */
  private finish(): void {
    if (this.words.length > 0 || this.group) this.pending = false;
    const words = this.words;
    let from = 0;
    for (; from < words.length; from++) {
      const { text } = words[from] ?? { text: '' };
      if (text === '{') this.braces++;
      else if (text === '}') this.closeBrace(words.length - from);
      else if (KEYWORDS.has(text) || ASSIGNMENT.test(text)) this.sure = false;
      else break;
    }
    this.addPart(words.slice(from));
    this.begin();
  }

  private closeBrace(left: number): void {
    this.braces--;
    if (this.braces < 0 || left > 1) this.sure = false;
  }

  private addPart(words: readonly Word[]): void {
    const [first, ...rest] = words;
    if (!first) return;
    if (first.odd || first.text === '' || MEANING.has(first.text)) this.sure = false;
    this.parts.push(words.map((word) => word.text));
    if (first.text === 'eval') this.inner(rest.map((word) => word.text).join(' '));
  }

  /** Reads a line within this one, such as between backticks. */
  private inner(line: string): void {
    const reader = new ShellReader(line, this.windows, this.depth + 1).read();
    this.parts.push(...reader.parts);
    if (!reader.sure) this.sure = false;
  }

  private word(): Word {
    const word: Word = { text: '', odd: false };
    // What stands outside of quotes, for the patterns that only count there.
    let bare = '';
    for (let c = this.text[this.at]; c !== undefined && !this.endsWord(c); c = this.text[this.at])
      if (!this.special(c, word)) {
        word.text += c;
        bare += c;
        this.at++;
      }
    if (/[*?[]|^~(?!\/|$)|^=./.test(bare)) word.odd = true;
    if (bare.includes('!') || hasBraceExpansion(bare)) this.sure = false;
    if (/[{}]/.test(bare) && bare !== '{}' && bare.length > 1) word.odd = true;
    return word;
  }

  /** Takes a quote, an escape or an expansion into the word; false if `c` is none. */
  private special(c: string, word: Word): boolean {
    if (c === "'") this.singleQuoted(word);
    else if (c === '"') this.doubleQuoted(word);
    else if (c === '\\') this.escaped(word);
    else if (c === '`') this.backquoted(word);
    else if (c === '$') this.dollar(word, false);
    else if (c === '<' || c === '>') this.substituted(word);
    else return false;
    return true;
  }

  private endsWord(c: string): boolean {
    if ((c === '<' || c === '>') && this.text[this.at + 1] === '(') return false;
    return ' \t\n;&|()<>'.includes(c);
  }

  private singleQuoted(word: Word): void {
    const end = this.text.indexOf("'", this.at + 1);
    // In fish a backslash escapes the quote.
    if (end < 0 || this.text[end - 1] === '\\') this.sure = false;
    word.text += this.text.slice(this.at + 1, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  private doubleQuoted(word: Word): void {
    this.at++;
    for (let c = this.text[this.at]; c !== undefined; c = this.text[this.at]) {
      if (c === '"') {
        this.at++;
        return;
      }
      if (c === '$') this.dollar(word, true);
      else if (c === '`') this.backquoted(word);
      else if (c === '\\') this.escapedInQuotes(word);
      else {
        // History, in an interactive shell.
        if (c === '!') this.sure = false;
        word.text += c;
        this.at++;
      }
    }
    this.sure = false;
  }

  private escaped(word: Word): void {
    const next = this.text[this.at + 1];
    this.at += 2;
    if (next === undefined) this.sure = false;
    else if (this.windows) {
      // A separator of paths, or an escape of a POSIX shell.
      if (!/[\w.~-]/.test(next)) this.sure = false;
      word.text += `\\${next}`;
    } else if (next !== '\n') word.text += next;
  }

  private escapedInQuotes(word: Word): void {
    const next = this.text[this.at + 1] ?? '';
    if (this.windows || !'$`"\\\n'.includes(next) || next === '') {
      if (this.windows && !/[\w.~-]/.test(next)) this.sure = false;
      word.text += '\\';
      this.at++;
      return;
    }
    if (next !== '\n') word.text += next;
    this.at += 2;
  }

  private backquoted(word: Word): void {
    const start = this.at;
    const content = this.take(/`((?:[^`\\]|\\[^])*)`/y);
    word.odd = true;
    if (content === undefined) {
      this.sure = false;
      this.at++;
      return;
    }
    word.text += this.text.slice(start, this.at);
    this.inner(content.slice(1, -1).replaceAll(/\\([`\\$])/g, '$1'));
  }

  private dollar(word: Word, quoted: boolean): void {
    const next = this.text[this.at + 1] ?? '';
    if (next === '(') {
      if (this.text[this.at + 2] === '(') this.sure = false;
      this.substituted(word);
      return;
    }
    const name = this.take(/\$(?:\w+|[@*#?$!-]|\{[A-Za-z_]\w*\})/y);
    if (name !== undefined) {
      word.text += name;
      word.odd = true;
      return;
    }
    // `$'…'`, `$"…"`, `$[…]` and `${…}` with more than a name.
    if (next === '{' || next === '[' || (!quoted && (next === "'" || next === '"'))) this.sure = false;
    word.text += '$';
    this.at++;
  }

  /** `$( … )`, `<( … )` and `>( … )`: the commands in it are parts, the word keeps its text. */
  private substituted(word: Word): void {
    const start = this.at;
    this.at += 2;
    this.nested();
    word.text += this.text.slice(start, this.at);
    word.odd = true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

function hasBraceExpansion(text: string): boolean {
  const inner = text.slice(text.indexOf('{') + 1, Math.max(0, text.lastIndexOf('}')));
  return text.includes('{') && (inner.includes(',') || inner.includes('..'));
}
