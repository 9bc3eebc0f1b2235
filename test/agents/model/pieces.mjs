const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
/** The steps of an answer as small pieces over time. */
export async function* pieces(steps, alive) {
  for (const s of steps) {
    if (s.drop) {
      yield { text: 'about to drop ' };
      await sleep(100);
      yield { drop: true };
      return;
    }
    if (s.think) {
      for (const t of chunk(s.think)) yield { think: t };
    }
    if (s.text) {
      for (const t of chunk(s.text)) {
        yield { text: t };
        await sleep(5);
      }
    }
    if (s.repeat) {
      for (let i = 1; i <= s.repeat && alive(); i++) {
        yield { text: s.gap ? `chunk ${i} of ${s.repeat}. ` : `flood line ${i}\n` };
        if (s.gap) await sleep(s.gap);
        else if (i % 50 === 0) await sleep(0);
      }
    }
    if (s.call) yield { call: s.call };
  }
}
const chunk = (t) => t.match(/[\s\S]{1,24}/g) ?? [];
