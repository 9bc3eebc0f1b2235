import { fenced, inlineCode, languageOf } from '../markdown';
import { withoutNote } from '../tools/bounds';
import type { Step } from './requests';

/** The planner's sentences in one language. */
export interface Phrases {
  /** A step as an entry of the plan. */
  entry(step: Step): string;
  /** Before a step. */
  doing(step: Step): string;
  /** After a step, with what its tool gave. */
  done(step: Step, output: string): string;
  rejected(entry: string): string;
  failed(entry: string, reason: string): string;
  summary(steps: number): string;
  planOnly: string;
  help: string;
  compact: string;
  other: string;
  notUnderstood(part: string): string;
}

const SHOWN_LINES = 20;

/** What of a tool's output is shown in an answer. */
function excerpt(output: string): { text: string; shown: number; all: number } {
  const told = withoutNote(output);
  const lines = told.replace(/\r?\n$/, '').split(/\r?\n/);
  return {
    text: lines.slice(0, SHOWN_LINES).join('\n'),
    shown: Math.min(lines.length, SHOWN_LINES),
    all: told === '' ? 0 : lines.length,
  };
}

const ADD_AN_AGENT = `{
  "parley.agents": {
    "My agent": { "command": "my-agent", "args": ["--acp"] }
  }
}`;

const REQUESTS = `| Request | Example |
| --- | --- |
| Read a file | \`read src/a.js\`, \`show README.md\` |
| List a folder | \`list\`, \`list src\` |
| Search for a text | \`search for hello\`, \`find "two words" in src\` |
| Replace a text | \`replace "A" with "B" in src/a.js\` |
| Create a file | \`create notes.md with "some text"\` |
| Run a command | \`run npm test\`, \`$ git status\` |
| Stream some text | \`count slowly to 20\`, \`write 5 paragraphs\`, \`lorem 500\` |`;

export const ENGLISH: Phrases = {
  entry: (step) => {
    if (step.do === 'read') return `Read ${inlineCode(step.path)}`;
    if (step.do === 'list') return `List ${inlineCode(step.path)}`;
    if (step.do === 'search') return `Search for ${inlineCode(step.text)}`;
    if (step.do === 'replace') return `Change ${inlineCode(step.path)}`;
    if (step.do === 'create') return `Create ${inlineCode(step.path)}`;
    return `Run ${inlineCode(step.command)}`;
  },
  doing: (step) => {
    if (step.do === 'read') return `I read ${inlineCode(step.path)}.`;
    if (step.do === 'list') return `I list ${inlineCode(step.path)}.`;
    if (step.do === 'search') return `I search for ${inlineCode(step.text)}.`;
    if (step.do === 'replace')
      return `I change ${inlineCode(step.from)} to ${inlineCode(step.to)} in ${inlineCode(step.path)}.`;
    if (step.do === 'create') return `I create ${inlineCode(step.path)}.`;
    return `I run ${inlineCode(step.command)}.`;
  },
  done: (step, output) => {
    const { text, shown, all } = excerpt(output);
    const lines = shown < all ? `the first ${shown} of ${all} lines` : all === 1 ? '1 line' : `${all} lines`;
    if (step.do === 'read') {
      if (all === 0) return `${inlineCode(step.path)} is empty.`;
      return `${inlineCode(step.path)}, ${lines}:\n\n${fenced(text, languageOf(step.path))}`;
    }
    if (step.do === 'list') {
      return all === 0
        ? `${inlineCode(step.path)} is empty.`
        : `${inlineCode(step.path)}:\n\n${fenced(text)}`;
    }
    if (step.do === 'search') {
      const times = all === 1 ? 'once' : `${all} times`;
      return all === 0
        ? `I did not find ${inlineCode(step.text)}.`
        : `I found ${inlineCode(step.text)} ${times}:\n\n${fenced(text)}`;
    }
    if (step.do === 'replace') return `I changed ${inlineCode(step.path)}.`;
    if (step.do === 'create') return `I created ${inlineCode(step.path)}.`;
    return `${inlineCode(step.command)} ended without an error.`;
  },
  rejected: (entry) => `You rejected this step: ${entry}. I stop here.`,
  failed: (entry, reason) => `This step failed: ${entry}. ${sentence(reason)} I stop here.`,
  summary: (steps) => (steps === 1 ? 'The step is done.' : `All ${steps} steps are done.`),
  planOnly:
    'This is the plan. In plan mode I change nothing; switch the mode to Interactive to carry it out.',
  help: `I understand a few plain requests, in English and in Chinese:

${REQUESTS}

Join several with *then* or write one on each line. \`/tour\` shows all of it at once.`,
  compact:
    'I am **not a language model** and need no room for the conversation. `/compact` summarizes it for a language model.',
  other: `I am the agent that comes with Parley. I am **not a language model**: I follow a few plain requests and do not understand more.

Things to try:

- \`/tour\` shows what the chat can do
- \`/help\` lists the requests that I understand
- \`read README.md then search for price\`

To work with a real agent, add it to the setting \`parley.agents\`:

${fenced(ADD_AN_AGENT, 'json')}

Then run the command **Parley: Select Agent**.`,
  notUnderstood: (part) => `I do not understand this part: ${inlineCode(part.trim())}. I did nothing.`,
};

export const CHINESE: Phrases = {
  entry: (step) => {
    if (step.do === 'read') return `读取 ${inlineCode(step.path)}`;
    if (step.do === 'list') return `列出 ${inlineCode(step.path)}`;
    if (step.do === 'search') return `搜索 ${inlineCode(step.text)}`;
    if (step.do === 'replace') return `修改 ${inlineCode(step.path)}`;
    if (step.do === 'create') return `创建 ${inlineCode(step.path)}`;
    return `运行 ${inlineCode(step.command)}`;
  },
  doing: (step) => `${CHINESE.entry(step)}。`,
  done: (step, output) => {
    const { text, shown, all } = excerpt(output);
    if (step.do === 'read') {
      const lines = shown < all ? `前 ${shown} 行，共 ${all} 行` : `共 ${all} 行`;
      return `${inlineCode(step.path)}（${lines}）：\n\n${fenced(text, languageOf(step.path))}`;
    }
    if (step.do === 'list')
      return all === 0 ? `${inlineCode(step.path)} 是空的。` : `${inlineCode(step.path)}:\n\n${fenced(text)}`;
    if (step.do === 'search')
      return all === 0
        ? `没有找到 ${inlineCode(step.text)}。`
        : `找到 ${all} 处 ${inlineCode(step.text)}:\n\n${fenced(text)}`;
    if (step.do === 'replace') return `已修改 ${inlineCode(step.path)}。`;
    if (step.do === 'create') return `已创建 ${inlineCode(step.path)}。`;
    return `${inlineCode(step.command)} 已成功结束。`;
  },
  rejected: (entry) => `您拒绝了这一步：${entry}。我就此停止。`,
  failed: (entry, reason) => `这一步失败了：${entry}。${sentence(reason)}我就此停止。`,
  summary: (steps) => (steps === 1 ? '该步骤已完成。' : `${steps} 个步骤都已完成。`),
  planOnly: '这是计划。在计划模式下我不做任何更改；把模式切换为 Interactive 后即可执行。',
  help: `我能听懂几种简单的请求：

| 请求 | 例子 |
| --- | --- |
| 读取文件 | \`读取 src/a.js\` |
| 列出文件夹 | \`列出 src\` |
| 搜索文字 | \`在 src 中搜索 hello\` |
| 替换文字 | \`把 src/a.js 里的"A"改成"B"\` |
| 创建文件 | \`创建 notes.md 内容为"一些文字"\` |
| 运行命令 | \`运行 npm test\` |
| 输出文字 | \`数到 20\`、\`写 5 段文字\` |

用“然后”连接多个请求，或每行写一个。\`/tour\` 会演示全部功能。`,
  compact: '我**不是语言模型**，对话不会占满我的空间。`/compact` 用于为语言模型总结对话。',
  other: `我是 Parley 自带的代理。我**不是语言模型**：我只能执行几种简单的请求。

- \`/tour\` 演示聊天的功能
- \`/help\` 列出我能听懂的请求

要使用真正的代理，请在设置 \`parley.agents\` 中添加：

${fenced(ADD_AN_AGENT, 'json')}

然后运行命令 **Parley: Select Agent**。`,
  notUnderstood: (part) => `我没有听懂这一部分：${inlineCode(part.trim())}。我什么都没有做。`,
};

/** The language of a prompt: Chinese if it holds a Chinese character. */
export function phrasesFor(prompt: string): Phrases {
  return /\p{Script=Han}/u.test(prompt) ? CHINESE : ENGLISH;
}

function sentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}
