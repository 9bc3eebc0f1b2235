import assert from 'node:assert/strict';
import { PromptHistory, promptsOf, type Shown } from '../../../src/webview/composer/history';
import { TestSession, text } from '../../support/session';

/** A composer with a history: what it holds, and where its caret is. */
class Composer {
  text = '';
  caret = 0;
  readonly history: PromptHistory;

  constructor(prompts: readonly string[]) {
    this.history = new PromptHistory(() => prompts);
  }

  /** False where the key was for the text. */
  press(key: 'ArrowUp' | 'ArrowDown'): boolean {
    const shown: Shown | undefined = this.history.step(key, {
      text: this.text,
      from: this.caret,
      to: this.caret,
    });
    if (shown) [this.text, this.caret] = [shown.text, shown.caret];
    return shown !== undefined;
  }

  toEnd(): void {
    this.caret = this.text.length;
  }

  write(value: string): void {
    [this.text, this.caret] = [value, value.length];
  }
}

describe('earlier prompts in the composer', () => {
  it('come by arrow up, the newest first, and go by arrow down', () => {
    const composer = new Composer(['one', 'two']);
    assert.equal(composer.press('ArrowDown'), false);
    assert.ok(composer.press('ArrowUp'));
    assert.equal(composer.text, 'two');
    assert.ok(composer.press('ArrowUp'));
    assert.equal(composer.text, 'one');
    assert.equal(composer.press('ArrowUp'), false);
    assert.equal(composer.text, 'one');
    assert.ok(composer.press('ArrowDown'));
    assert.equal(composer.text, 'two');
    assert.ok(composer.press('ArrowDown'));
    assert.equal(composer.text, '');
    assert.equal(composer.press('ArrowDown'), false);
  });

  it('leave the keys to the text where the caret is inside of it or something is selected', () => {
    const composer = new Composer(['one']);
    composer.write('draft');
    assert.equal(composer.press('ArrowUp'), false);
    assert.equal(composer.history.step('ArrowUp', { text: 'draft', from: 0, to: 5 }), undefined);
    composer.caret = 0;
    assert.ok(composer.press('ArrowUp'));
  });

  it('let the caret go up through a prompt of several lines', () => {
    const composer = new Composer(['zero', 'one\ntwo']);
    composer.press('ArrowUp');
    composer.caret = 7;
    assert.equal(composer.press('ArrowUp'), false);
    composer.caret = 0;
    assert.ok(composer.press('ArrowUp'));
  });

  it('give the draft back, and what was changed on the way', () => {
    const composer = new Composer(['one', 'two']);
    composer.write('my draft');
    composer.caret = 0;
    composer.press('ArrowUp');
    composer.write('two, changed');
    composer.caret = 0;
    composer.press('ArrowUp');
    assert.equal(composer.text, 'one');
    composer.press('ArrowDown');
    assert.equal(composer.text, 'two, changed');
    composer.caret = 0;
    assert.equal(composer.press('ArrowDown'), false, 'the caret moves in a changed text');
    composer.toEnd();
    composer.press('ArrowDown');
    assert.equal(composer.text, 'my draft');
  });

  it('give the draft back when one of them is sent', () => {
    const composer = new Composer(['one']);
    composer.write('my draft');
    composer.caret = 0;
    composer.press('ArrowUp');
    assert.equal(composer.history.leave(), 'my draft');
    assert.equal(composer.history.leave(), '');
  });

  it('change nothing in a session without prompts', () => {
    const composer = new Composer([]);
    assert.equal(composer.press('ArrowUp'), false);
    composer.write('x');
    assert.equal(composer.history.leave(), '');
  });

  it('are the texts that were sent, one that follows itself once', () => {
    const session = new TestSession();
    session.apply({
      type: 'promptSubmitted',
      at: 1,
      blocks: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'for the model', hidden: true },
        { type: 'link', uri: 'file:///a', name: 'a' },
      ],
    });
    session.prompt('one').wire(text('an answer')).prompt('two');
    assert.deepEqual(promptsOf(session.state), ['one', 'two']);
  });
});
