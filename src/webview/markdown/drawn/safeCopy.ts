/** What may be taken over from markup that a library made from an agent's text. */
export interface Allowed {
  namespace: string;
  elements: ReadonlySet<string>;
  /** Elements of which only what they hold is taken over, in a plain group. */
  groups?: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Formulas. */
export const MATHML: Allowed = {
  namespace: 'http://www.w3.org/1998/Math/MathML',
  elements: words(
    `math semantics mrow mi mn mo ms mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd
     mlabeledtr mstyle menclose mpadded mphantom mmultiscripts mprescripts merror`,
  ),
  attributes: words(
    `display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground stretchy fence separator form accent accentunder
     lspace rspace largeop movablelimits symmetric minsize maxsize linethickness width height depth voffset rowspacing columnspacing
     columnalign rowalign columnlines rowlines frame side notation columnspan rowspan`,
  ),
};

/** Diagrams. Names are compared in lower case, since attributes of SVG are written in both. */
export const SVG: Allowed = {
  namespace: 'http://www.w3.org/2000/svg',
  elements: words(
    `svg g defs title desc path rect circle ellipse line polyline polygon text tspan textpath marker lineargradient radialgradient stop
     clippath mask pattern symbol use filter fedropshadow fegaussianblur feoffset feblend feflood fecomposite femerge femergenode`,
  ),
  groups: words('a switch'),
  attributes: words(
    `id class viewbox preserveaspectratio width height x y x1 y1 x2 y2 cx cy r rx ry d points transform transform-origin fill
     fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
     stroke-miterlimit opacity marker-start marker-mid marker-end markerwidth markerheight markerunits orient refx refy clip-path
     clip-rule clippathunits mask maskunits filter dx dy rotate textlength lengthadjust text-anchor dominant-baseline
     alignment-baseline baseline-shift font-size font-family font-weight font-style letter-spacing text-decoration offset stop-color
     stop-opacity gradientunits gradienttransform spreadmethod patternunits patterntransform patterncontentunits flood-color
     flood-opacity stddeviation in in2 operator mode result color visibility display role aria-label aria-labelledby
     aria-describedby aria-roledescription href xlink:href`,
  ),
};

/** A reference to anything but a part of the same drawing. */
const leadsOut = (value: string): boolean =>
  /url\s*\((?!\s*["']?#)/i.test(value) || /\\|expression|image-set|@import|javascript:/i.test(value);

function isAllowed(name: string, value: string, { attributes }: Allowed): boolean {
  if (!attributes.has(name) || leadsOut(value)) return false;
  return name.endsWith('href') ? value.startsWith('#') : true;
}

/** Properties that could lay a drawing over what is not its own. */
const MISPLACED = [
  'position',
  'z-index',
  'inset',
  'top',
  'left',
  'right',
  'bottom',
  'pointer-events',
  'cursor',
];

function copyStyle(style: CSSStyleDeclaration, text: string): void {
  style.cssText = text;
  for (const name of [...style]) if (leadsOut(style.getPropertyValue(name))) style.removeProperty(name);
  for (const name of MISPLACED) style.removeProperty(name);
}

/**
 * Makes an element anew from one that a library made, with what is allowed of it and of what it holds. Its style is set by properties, which the page's policy lets pass. Undefined for an element that is not allowed.
 */
export function safeCopy(source: Element, allowed: Allowed, document: Document): Element | undefined {
  const name = source.localName.toLowerCase();
  const isGroup = allowed.groups?.has(name) === true;
  if (source.namespaceURI !== allowed.namespace || !(isGroup || allowed.elements.has(name))) return undefined;
  const copy = document.createElementNS(allowed.namespace, isGroup ? 'g' : source.localName);
  if (!isGroup) copyAttributes(source, copy, allowed);
  for (const node of source.childNodes) {
    const child =
      node.nodeType === Node.ELEMENT_NODE ? safeCopy(node as Element, allowed, document) : textOf(node);
    if (child) copy.append(child);
  }
  return copy;
}

const textOf = ({ nodeType, nodeValue }: Node): string | null =>
  nodeType === Node.TEXT_NODE ? nodeValue : null;

function copyAttributes(source: Element, copy: Element, allowed: Allowed): void {
  for (const { name, value } of source.attributes) {
    if (name === 'style' && 'style' in copy) copyStyle(copy.style as CSSStyleDeclaration, value);
    else if (isAllowed(name.toLowerCase(), value, allowed))
      copy.setAttribute(name === 'xlink:href' ? 'href' : name, value);
  }
}

const STILL = '@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }';

/** A style sheet of the rules that stay inside the drawing and load nothing. */
export function safeSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
    const rule = sheet.cssRules[at];
    const keeps =
      rule instanceof CSSStyleRule
        ? !/:host|::slotted/i.test(rule.selectorText)
        : rule instanceof CSSKeyframesRule;
    if (!keeps || !rule || leadsOut(rule.cssText)) sheet.deleteRule(at);
    else if (rule instanceof CSSStyleRule) for (const name of MISPLACED) rule.style.removeProperty(name);
  }
  sheet.insertRule(STILL, sheet.cssRules.length);
  return sheet;
}
