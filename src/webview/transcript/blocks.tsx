import type { BlockView } from '../../core/session/state';
import { linkTarget } from '../markdown/links';
import { usePage, type Page } from '../page';
import { Icon } from './icon';
import { Picture } from './picture';
import { visibleText } from '../../core/visibleText';

/** Opens what a link points to, through the extension. */
export function follow(page: Page, href: string): void {
  const target = linkTarget(href);
  if (target?.kind === 'link') void page.act({ type: 'openLink', href: target.href });
  else if (target) {
    const { path, line } = target;
    void page.act({ type: 'openFile', path, ...(line === undefined ? {} : { line }) });
  }
}

interface ChipProps {
  icon: string;
  text: string;
  href?: string;
  title?: string;
  /** In place of a link. */
  open?: () => void;
}

function Chip({ icon, text, href, title, open }: ChipProps) {
  const page = usePage();
  const label = (
    <>
      <Icon name={icon} />
      <span class="cut">{visibleText(text)}</span>
    </>
  );
  const press = open ?? (href !== undefined && linkTarget(href) ? () => follow(page, href) : undefined);
  if (!press)
    return (
      <span class="chip" title={title ?? text}>
        {label}
      </span>
    );
  return (
    <button type="button" class="chip" title={title ?? href} onClick={press}>
      {label}
    </button>
  );
}

/** The name of a resource in a chip: that of its file, with the lines that its fragment names. */
export function nameOf(uri: string): string {
  const name =
    uri
      .replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .filter(Boolean)
      .at(-1) ?? uri;
  const [, from, to] = /#L(\d+)(?:-L?(\d+))?$/.exec(uri) ?? [];
  const lines = from === undefined ? '' : to === undefined || to === from ? `:${from}` : `:${from}-${to}`;
  try {
    return decodeURIComponent(name) + lines;
  } catch {
    return name + lines; // A stray percent sign: shown as it is.
  }
}

/** Languages of the editor by the kinds of text that resources have. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/javascript': 'javascript',
  'application/typescript': 'typescript',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'text/css': 'css',
  'text/html': 'html',
  'text/javascript': 'javascript',
  'text/markdown': 'markdown',
  'text/x-python': 'python',
  'text/xml': 'xml',
  'text/yaml': 'yaml',
};

/** Something that came along: a file of the disk or a link opens as such, a text that is nowhere else as a document. */
function Resource({ block }: { block: Extract<BlockView, { type: 'resource' }> }) {
  const { act } = usePage();
  const { uri, mimeType = '', text } = block;
  if (text === undefined || linkTarget(uri)) return <Chip icon="file" text={nameOf(uri)} href={uri} />;
  const language = Object.hasOwn(LANGUAGES, mimeType) ? LANGUAGES[mimeType] : undefined;
  const open = (): void =>
    void act({ type: 'openText', text, ...(language === undefined ? {} : { language }) });
  return <Chip icon="file-text" text={nameOf(uri)} title={uri} open={open} />;
}

/** A content block that is not text: a picture, a file, or the name of what can't be shown. */
export function OtherBlock({ block }: { block: Exclude<BlockView, { type: 'text' }> }) {
  const { t } = usePage();
  switch (block.type) {
    case 'image':
      return block.data ? (
        <Picture mimeType={block.mimeType} data={block.data} />
      ) : (
        <Chip
          icon="file-media"
          text={t('imageNotShown', block.mimeType)}
          {...(block.uri ? { href: block.uri } : {})}
        />
      );
    case 'audio':
      return <Chip icon="unmute" text={t('audio', block.mimeType)} />;
    case 'resource':
      return <Resource block={block} />;
    case 'link':
      return <Chip icon="file" text={block.name} href={block.uri} title={block.title ?? block.uri} />;
    case 'unknown':
      return <Chip icon="question" text={t('unknownBlock', block.name)} />;
  }
}
