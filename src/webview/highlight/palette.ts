/** Class names for colours: the page's policy lets no element have a style of its own. */
export class Palette {
  private readonly names = new Map<string, string>();
  private readonly sheet = new CSSStyleSheet();

  constructor() {
    document.adoptedStyleSheets.push(this.sheet);
  }

  /** The class of a colour. */
  classOf(color: string): string {
    const known = this.names.get(color);
    if (known !== undefined) return known;
    const name = `code-color-${this.names.size}`;
    this.names.set(color, name);
    const at = this.sheet.insertRule(`.${name} {}`, this.sheet.cssRules.length);
    const rule = this.sheet.cssRules[at];
    // Set as a value, so that it can be nothing but a colour.
    if (rule instanceof CSSStyleRule) rule.style.setProperty('color', color);
    return name;
  }
}
