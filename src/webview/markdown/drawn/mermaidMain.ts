import mermaid from 'mermaid';
import { providePart, type DiagramColors } from '../../lazy';
import { plainSource } from './plainSource';

/** Longest source in characters, and most edges. */
const LIMITS = { maxTextSize: 50_000, maxEdges: 150 };

/** What is known of the diagram that is being drawn. */
let drawn: { rules: string; sheets: CSSStyleSheet[]; svg?: Element } = { rules: '', sheets: [] };

/** The build makes Mermaid call these where it would write a style element and parse its own markup (see lazyBuild.mjs). */
const handOver = {
  adoptStyle(rules: string): void {
    drawn.rules = rules;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    drawn.sheets.push(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  },
  take(svg: Element): void {
    drawn.svg = svg;
  },
};
(globalThis as { parleyDiagram?: typeof handOver }).parleyDiagram = handOver;

/** True while a diagram is being drawn. */
let isDrawing = false;

/** The policy refuses style attributes that a script sets as a text, and lets the same pass as properties. */
function letStylesPass(): void {
  const attribute = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute');
  const set = attribute?.value as (this: Element, name: string, value: string) => void;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string): void {
    if (name === 'style' && 'style' in this) (this as HTMLElement | SVGElement).style.cssText = value;
    else set.call(this, name, value);
  };
}

/** What draws some kinds of diagrams adds style elements of its own, none of which is needed: they become ones that mean nothing. */
function dropStyleElements(): void {
  const create = (Reflect.get(document, 'createElement') as (name: string) => Element).bind(document);
  const createNS = document.createElementNS.bind(document) as (space: string | null, name: string) => Element;
  const isStyle = (name: string): boolean => isDrawing && name === 'style';
  Object.assign(document, {
    createElement: (name: string) => create(isStyle(name) ? 'template' : name),
    createElementNS: (space: string | null, name: string) =>
      createNS(space, isStyle(name) ? 'metadata' : name),
  });
}

letStylesPass();
dropStyleElements();

function themeOf({
  dark,
  background,
  text,
  box,
  line,
  accent,
  font,
}: DiagramColors): Record<string, unknown> {
  return {
    darkMode: dark,
    background,
    fontFamily: font,
    fontSize: '13px',
    primaryColor: box,
    primaryTextColor: text,
    primaryBorderColor: accent,
    secondaryColor: background,
    tertiaryColor: background,
    mainBkg: box,
    nodeBorder: accent,
    lineColor: line,
    textColor: text,
    titleColor: text,
    edgeLabelBackground: background,
    clusterBkg: background,
    clusterBorder: line,
    noteBkgColor: box,
    noteTextColor: text,
    noteBorderColor: line,
    actorBkg: box,
    actorBorder: accent,
    actorTextColor: text,
    signalColor: line,
    signalTextColor: text,
    labelBoxBkgColor: box,
    labelTextColor: text,
  };
}

function configure(colors: DiagramColors): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    // Its default is a program of its own that is as large as all the rest, and is not bundled.
    layout: 'dagre',
    suppressErrorRendering: true,
    theme: 'base',
    themeVariables: themeOf(colors),
    fontFamily: colors.font,
    ...LIMITS,
    // What the text of an agent must not change.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'suppressErrorRendering',
      'maxTextSize',
      'maxEdges',
      'htmlLabels',
      'layout',
      'themeCSS',
      'themeVariables',
      'theme',
      'fontFamily',
      'altFontFamily',
    ],
  });
}

/** One at a time: what is set for a diagram holds for all. */
let last: Promise<unknown> = Promise.resolve();

providePart('mermaid', (source, id, { colors, workshop }) => {
  const draw = async () => {
    drawn = { rules: '', sheets: [] };
    const { sheets } = drawn;
    isDrawing = true;
    try {
      configure(colors);
      await mermaid.render(id, plainSource(source), workshop);
      const { svg, rules } = drawn;
      if (!svg) throw new Error('Nothing was drawn.');
      return { svg, css: rules };
    } finally {
      isDrawing = false;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
      workshop.replaceChildren();
    }
  };
  const result = last.then(draw);
  last = result.catch(() => undefined);
  return result;
});
