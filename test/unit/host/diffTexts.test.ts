import assert from 'node:assert/strict';
import { DiffStore } from '../../../src/host/session/diffTexts';

describe('the texts of diffs', () => {
  it('DI-2 finds the texts of each diff by its reference', () => {
    const store = new DiffStore();
    const first = { path: '/a', oldText: 'x\n', newText: 'y\n' };
    const { ref, view } = store.keep(first);
    assert.deepEqual([view.added, view.removed], [1, 1]);
    const second = store.keep({ ...first, newText: 'z\n' });
    assert.notEqual(second.ref, ref);
    assert.deepEqual(store.find(ref), first);
    assert.equal(store.find(second.ref)?.newText, 'z\n');
  });

  it('DI-2 compares a diff once that an agent repeats', () => {
    const store = new DiffStore();
    const diff = { path: '/a', oldText: null, newText: 'y\n' };
    const first = store.keep(diff);
    assert.equal(store.keep({ ...diff }).view, first.view);
    assert.equal(store.keep({ ...diff }).ref, first.ref);
    assert.notEqual(store.keep({ ...diff, path: '/b' }).ref, first.ref);
    assert.notEqual(store.keep({ ...diff, oldText: '' }).ref, first.ref);
  });

  it('DI-2 forgets the oldest of very many, and can keep them again', () => {
    const store = new DiffStore();
    const diff = (i: number) => ({ path: `/${i}`, oldText: null, newText: 'x\n' });
    const first = store.keep(diff(0));
    for (let i = 1; i <= 300; i++) store.keep(diff(i));
    assert.equal(store.find(first.ref), undefined);
    assert.deepEqual(store.find(store.keep(diff(0)).ref), diff(0));
  });
});
