import { format } from '../chat/strings';
import { code, fenced, literal } from '../session/toMarkdown';
import { visibleText } from '../visibleText';
import type { DiagnoseStrings } from './diagnoseStrings';
import type { AgentReport } from './report';
import { reportSections, verdictOf, type ReportRow, type ReportSection } from './reportSections';

/** The report as Markdown. Nothing in it acts as Markdown or HTML, or calls a person of a forum, whatever an agent wrote. */
export function reportMarkdown(report: AgentReport, texts: DiagnoseStrings): string {
  const head = [
    `# ${plain(format(texts.title, report.agent))}`,
    plain(verdictOf(report, texts).text),
    plain(format(texts.madeAt, new Date(report.madeAt).toISOString())),
  ];
  const parts = reportSections(report, texts).map((section) => sectionMarkdown(section, texts));
  return `${[...head, ...parts].join('\n\n')}\n`;
}

function sectionMarkdown({ title, rows, table, text }: ReportSection, texts: DiagnoseStrings): string {
  const parts = [`## ${plain(title)}`];
  if (rows) parts.push(rows.map(rowMarkdown).join('\n'));
  if (table) {
    const head = [texts.capability, texts.rawName, texts.support];
    const lines = table.map(({ words, name, supported }) =>
      line([plain(words), cell(name), plain(supported ? texts.supported : texts.unsupported)]),
    );
    parts.push([line(head.map(plain)), line(head.map(() => '---')), ...lines].join('\n'));
  }
  if (text !== undefined) parts.push(text === '' ? plain(texts.printedNothing) : fenced(visibleText(text)));
  return parts.join('\n\n');
}

function rowMarkdown({ label, value, code: isCode }: ReportRow): string {
  const show = isCode ? inCode : plain;
  if (typeof value === 'string') return `- ${plain(label)}: ${show(value)}`;
  return [`- ${plain(label)}:`, ...value.map((item) => `  - ${show(item)}`)].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A text that is only text, in one line, and calls nobody. */
const plain = (text: string): string => literal(visibleText(text)).replaceAll('@', '&#64;');

/** A code span; one without content would be two backticks. */
const inCode = (text: string): string => code(visibleText(text.trim() === '' ? '""' : text));

/** A code span in a cell, where a bar would end it. */
const cell = (text: string): string => inCode(text).replaceAll('|', String.raw`\|`);
