interface Example {
  markdown: string;
  html: string;
}

/** What GFM adds to CommonMark, with what it gives. */
export const gfm: Readonly<Record<string, Example>> = {
  'a table with alignments': {
    markdown:
      '| Fruit | Price | In stock |\n|:------|------:|:--------:|\n| Pear | 3 | *yes* |\n| Plum | 12 | no |\n',
    html:
      '<table><thead><tr><th align="left">Fruit</th><th align="right">Price</th><th align="center">In stock</th></tr></thead>' +
      '<tbody><tr><td align="left">Pear</td><td align="right">3</td><td align="center"><em>yes</em></td></tr>' +
      '<tr><td align="left">Plum</td><td align="right">12</td><td align="center">no</td></tr></tbody></table>',
  },
  'a table without outer pipes, with short and long rows': {
    markdown: 'Name | Size\n--- | ---\none\ntwo | 2 | lost\n\nAfter\n',
    html:
      '<table><thead><tr><th>Name</th><th>Size</th></tr></thead>' +
      '<tbody><tr><td>one</td><td></td></tr><tr><td>two</td><td>2</td></tr></tbody></table><p>After</p>',
  },
  'a table with an escaped pipe in code': {
    markdown: '| Shell |\n|---|\n| `a \\| b` |\n',
    html: '<table><thead><tr><th>Shell</th></tr></thead><tbody><tr><td><code>a | b</code></td></tr></tbody></table>',
  },
  'what is no table, for its second line has other columns': {
    markdown: '| one | two |\n| --- |\n| three |\n',
    html: '<p>| one | two |\n| --- |\n| three |</p>',
  },
  'a table ended by a quote': {
    markdown: '| a |\n|---|\n| b |\n> quote\n',
    html:
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>' +
      '<blockquote><p>quote</p></blockquote>',
  },
  'struck text': {
    markdown: 'The old name was ~~Parlour~~ and not ~~all\n\nof~~ this.\n',
    html: '<p>The old name was <s>Parlour</s> and not ~~all</p><p>of~~ this.</p>',
  },
  'addresses in the text': {
    markdown: 'Visit https://example.org/a_b?c=d. (See http://example.org/x) Not www: example.org\n',
    html:
      '<p>Visit <a href="https://example.org/a_b?c=d">https://example.org/a_b?c=d</a>. (See ' +
      '<a href="http://example.org/x">http://example.org/x</a>) Not www: example.org</p>',
  },
  tasks: {
    markdown: '- [ ] Write the *test*\n- [x] Run it\n  1. [X] Twice\n- [ ]\n- [y] no task\n- [x]no task\n',
    html:
      '<ul><li><input type="checkbox" disabled> Write the <em>test</em></li>' +
      '<li><input type="checkbox" checked disabled> Run it<ol><li><input type="checkbox" checked disabled> Twice</li></ol></li>' +
      '<li>[ ]</li><li>[y] no task</li><li>[x]no task</li></ul>',
  },
  'tasks of a loose list': {
    markdown: '* [x] One\n\n* [ ] Two\n',
    html:
      '<ul><li><p><input type="checkbox" checked disabled> One</p></li>' +
      '<li><p><input type="checkbox" disabled> Two</p></li></ul>',
  },
};

/** Answers as agents give them. */
export const answers: Readonly<Record<string, string>> = {
  'an answer about a failing test': `I found the cause. The test fails because \`formatDay\` cuts the *local* time, see src/date.ts:18 and \`src/calendar/day.ts:7:3\`.

### What I changed

1. \`startOfUtcDay\` is used in [src/date.ts](src/date.ts#L18-L22):

   \`\`\`ts
   export function formatDay(d: Date): string {
     const day = startOfUtcDay(d);

     return iso(day).slice(0, 10);
   }
   \`\`\`

2. The test names the zone it runs in.
   - \`TZ=UTC\`
   - \`TZ=Asia/Shanghai\`

| File | Before | After |
|:-----|-------:|------:|
| \`src/date.ts\` | 2 failures | **0** |
| \`src/calendar/day.ts\` | 1 failure | **0** |

- [x] Fix the function
- [x] Run the tests
- [ ] Update the [changelog](CHANGELOG.md)

> Note: the build costs about $5 on one machine and $10 on the other.
`,
  'an answer with formulas': `The variance of $n$ samples is

$$
\\begin{aligned}
\\sigma^2 &= \\frac{1}{n} \\sum_{i=1}^{n} (x_i - \\mu)^2 \\\\
- \\mu &= 0
\\end{aligned}
$$

so for \\(n = 1\\) it is zero, and

\\[ \\lim_{n \\to \\infty} \\sigma^2 = \\int (x - \\mu)^2 f(x)\\,dx \\]

1. First compute the mean:
   $$ \\mu = \\frac{1}{n} \\sum x_i $$
2. Then the rest, in $O(n)$ steps.

A lone $ sign and $$ two of them stay.
`,
  'an answer with a diagram': `Requests go this way:

\`\`\`mermaid
flowchart LR
  A[Editor] --> B{Agent}
  B -->|asks| A

  B --> C[(Files)]
\`\`\`

~~~sh
$ npm test -- --grep "a | b"
~~~

Then *nothing* more; ![the result](docs/result.png) shows it.

***

你好，**世界**：见 src/你好.ts:3 和 \`src/b.ts\`。
`,
};
