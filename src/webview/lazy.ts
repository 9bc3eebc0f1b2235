/** Draws a formula as MathML, given as HTML; throws an error that says what is wrong with it. */
export type DrawFormula = (tex: string, display: boolean) => string;

/** Colours of a diagram, as CSS writes them. */
export interface DiagramColors {
  dark: boolean;
  background: string;
  text: string;
  box: string;
  line: string;
  accent: string;
  font: string;
}

/** A diagram as it was drawn, to be copied with care, and the rules of its style, which name it by its id. */
export interface DrawnDiagram {
  svg: Element;
  css: string;
}

/** Draws a diagram in `workshop`, an element of the page that is laid out but not seen. */
export type DrawDiagram = (
  source: string,
  id: string,
  look: { colors: DiagramColors; workshop: HTMLElement },
) => Promise<DrawnDiagram>;

/** What the files beside the page's script give. */
export interface LazyParts {
  katex: DrawFormula;
  mermaid: DrawDiagram;
}

type Shelf = { [K in keyof LazyParts]?: LazyParts[K] };

const shelf = ((globalThis as { parleyParts?: Shelf }).parleyParts ??= {});

/** The page's own script: its parts lie beside it and are let in by its nonce. */
const own = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;

const loads = new Map<keyof LazyParts, Promise<unknown>>();

/** Called by a part when it runs. */
export function providePart<K extends keyof LazyParts>(name: K, part: LazyParts[K]): void {
  shelf[name] = part;
}

/** Loads a part of the page when it is first asked for; rejects, then and later, if its file can't be loaded. */
export function loadPart<K extends keyof LazyParts>(name: K): Promise<LazyParts[K]> {
  const before = loads.get(name) as Promise<LazyParts[K]> | undefined;
  if (before) return before;
  const load = new Promise<LazyParts[K]>((resolve, reject) => {
    const fail = (): void => reject(new Error(`${name}.js could not be loaded.`));
    if (!own) {
      fail();
      return;
    }
    const script = document.createElement('script');
    script.nonce = own.nonce;
    script.src = new URL(`${name}.js`, own.src).href;
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      const part = shelf[name];
      if (part) resolve(part);
      else fail();
    });
    document.head.append(script);
  });
  loads.set(name, load);
  return load;
}
