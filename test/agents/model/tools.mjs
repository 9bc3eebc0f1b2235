// From an intent (read, edit, write, execute ...) to a tool that the agent offers, with arguments that fit its schema.

const INTENTS = {
  execute: [
    /^(bash|shell|exec_command|run_shell_command|shell_command|local_shell|execute_command|run_commands?|run_terminal_cmd|execute|launch-process)$/i,
    /bash|shell|exec|run_|command|launch/i,
  ],
  read: [/^(read|read_file|view|read_files|read_many_files|readfile|fs_read)$/i, /^read_?file|^view$/i],
  edit: [
    /^(edit|replace|replace_in_file|str_replace|editor|str_replace_editor|str-replace-editor|str_replace_based_edit_tool|edit_file|apply_patch|editor)$/i,
    /edit|replace|patch/i,
  ],
  write: [
    /^(write|write_file|create|create_file|write_to_file|save-file|editor|apply_patch)$/i,
    /^write|^create_file|edit|patch/i,
  ],
  list: [/^(ls|list|list_directory|list_dir|list_files|glob)$/i, /list|glob|ls/i],
  search: [
    /^(grep|search_file_content|grep_search|rg|search|search_files|search_codebase)$/i,
    /grep|search/i,
  ],
  fetch: [/^(webfetch|web_fetch|fetch|fetch_web_content)$/i, /fetch/i],
  plan: [
    /^(todowrite|todo_write|write_todos|update_plan|update_todo|todo|taskcreate)$/i,
    /todo|update_plan/i,
  ],
};

/** The call of an offered tool that does what the marker asks for. */
export function mapTool(name, json, tools) {
  const names = tools.map((t) => t.name);
  if (INTENTS[name])
    tools = tools.filter(
      (t) => !/image|agent|goal|skill|background|_bash$|notebook|tasks?$|(tool|web)_?search/i.test(t.name),
    );
  let tool = tools.find((t) => t.name === name);
  if (!tool && INTENTS[name]) {
    for (const re of INTENTS[name]) {
      tool = tools.find((t) => re.test(t.name));
      if (tool) break;
    }
  }
  if (!tool && name !== 'execute' && INTENTS[name]) {
    // no such tool offered: the shell does it
    const q = (x) => "'" + String(x ?? '').replace(/'/g, "'\\''") + "'";
    const command = {
      read: `cat ${q(json.path)}`,
      list: `ls -la ${q(json.path)}`,
      search: `grep -rn ${q(json.pattern)} ${q(json.path)}`,
      write: `printf %s ${q(json.content)} > ${q(json.path)}`,
    }[name];
    if (command) return mapTool('execute', { command, description: json.description }, tools);
  }
  if (!tool) return { name, args: json, unmapped: names };
  return { name: tool.name, namespace: tool.namespace, args: fillArgs(tool, json), custom: tool.custom };
}

// generic argument names -> the ones this tool's schema declares
const ALIAS = {
  path: [
    'file_path',
    'filePath',
    'path',
    'absolute_path',
    'absolutePath',
    'filename',
    'file',
    'target_file',
    'dir_path',
    'directory',
    'dir',
  ],
  content: ['content', 'file_text', 'contents', 'text', 'fileText', 'file_content', 'new_str', 'new_text'],
  old: ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search', 'old_str_1'],
  new: ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace', 'new_str_1'],
  command: ['command', 'cmd', 'commands', 'script'],
  description: [
    'description',
    'summary',
    'explanation',
    'justification',
    'reason',
    'intent',
    'instruction',
    'title',
  ],
  pattern: ['pattern', 'query', 'regex'],
  url: ['url', 'urls', 'prompt'],
  todos: ['todos', 'plan', 'items', 'entries'],
};

function fillArgs(tool, json) {
  if (json._raw !== undefined) return json._raw;
  const props = tool.schema?.properties ?? {};
  const req = tool.schema?.required ?? [];
  if (tool.custom || tool.name === 'apply_patch') {
    const body = patchText(json);
    if (tool.custom) return body;
    const key = ['input', 'patchText', 'patch'].find((k) => props[k]) ?? Object.keys(props)[0] ?? 'input';
    return { [key]: body };
  }
  const out = {};
  if (props.sandbox_permissions && props.justification) {
    // codex: a justification goes only with an escalation
    if (json.description) out.sandbox_permissions = 'require_escalated';
    else json = { ...json, justification: undefined };
  }
  for (const [k, v] of Object.entries(json)) {
    if (v === undefined) continue;
    if (props[k] !== undefined) {
      out[k] = v;
      continue;
    }
    const key = (ALIAS[k] ?? []).find((a) => props[a] !== undefined && out[a] === undefined);
    if (!key) {
      if (!ALIAS[k] || !Object.keys(props).length) out[k] = v;
      continue;
    }
    const type = props[key].type;
    const items = props[key].items;
    let val = v;
    if (type === 'array' && !Array.isArray(v)) {
      val =
        key === 'command' && items?.type === 'string' && tool.name !== 'run_commands'
          ? ['bash', '-lc', String(v)]
          : [v];
    }
    out[key] = val;
  }
  // tools whose edit is a list of {oldText,newText}
  if (props.edits && json.old !== undefined)
    out.edits = [
      {
        oldText: json.old,
        newText: json.new,
        old_string: json.old,
        new_string: json.new,
        old_text: json.old,
        new_text: json.new,
      },
    ];
  if (props.files && json.path !== undefined && !props.path && !props.file_path) {
    const it = props.files.items;
    out.files = it?.type === 'object' || it?.properties ? [{ path: json.path }] : [json.path];
  }
  // str_replace_editor-likes want a verb
  const verb = props.command?.enum;
  if (verb && !verb.includes(out.command)) {
    if (json.old !== undefined) out.command = verb.find((x) => /str_replace|replace/.test(x));
    else if (json.content !== undefined) out.command = verb.find((x) => /create|write/.test(x));
    else out.command = verb.find((x) => /view|read/.test(x));
  }
  for (const k of req) {
    if (out[k] !== undefined) continue;
    const p = props[k] ?? {};
    if (p.enum) out[k] = p.enum[0];
    else if (p.type === 'boolean') out[k] = false;
    else if (p.type === 'number' || p.type === 'integer') out[k] = p.minimum ?? (/time/i.test(k) ? 10000 : 1);
    else if (p.type === 'array') out[k] = [];
    else if (p.type === 'object') out[k] = {};
    else
      out[k] = ALIAS.description.includes(k)
        ? 'mock call'
        : ALIAS.content.includes(k) && json.content === undefined
          ? (json.new ?? '')
          : 'mock';
  }
  return out;
}

function patchText(json) {
  const p = json.path ?? 'mock.txt';
  if (json.old !== undefined) {
    const L = (s, c) =>
      String(s)
        .split('\n')
        .map((l) => c + l)
        .join('\n');
    return `*** Begin Patch\n*** Update File: ${p}\n@@\n${L(json.old, '-')}\n${L(json.new ?? '', '+')}\n*** End Patch\n`;
  }
  return `*** Begin Patch\n*** Add File: ${p}\n${String(json.content ?? '')
    .split('\n')
    .map((l) => '+' + l)
    .join('\n')}\n*** End Patch\n`;
}
