import { signal, type Signal } from '@preact/signals';
import type { FieldView, FormView } from '../../core/elicitation/form';
import {
  answersOf,
  validateField,
  validateForm,
  type FieldProblem,
  type FormAnswers,
} from '../../core/elicitation/validate';
import type { Page } from '../page';
import { enteredIn, initialValues, valueOf, valuesOf, type Entered, type EnteredValues } from './formValues';

/** A form while it is filled in. It lives beside its view, which may be drawn anew, and is never stored (EL-15). */
export class FormFilling {
  private readonly values: Signal<EnteredValues>;
  private readonly touched = new Set<string>();
  private readonly problems = signal<Readonly<Record<string, FieldProblem>>>({});

  constructor(private readonly form: FormView) {
    this.values = signal(initialValues(form));
  }

  /** What a control holds; draws the view again when that changes. */
  entered(name: string): Entered {
    return enteredIn(this.values.value, name);
  }

  /** What is wrong with a field, as far as it was checked; draws the view again when that changes. */
  problem(name: string): FieldProblem | undefined {
    const problems = this.problems.value;
    return Object.hasOwn(problems, name) ? problems[name] : undefined;
  }

  /** Takes what the person entered; what was found wrong with the field before is checked again. */
  enter(field: FieldView, entered: Entered): void {
    this.touched.add(field.name);
    this.values.value = { ...this.values.value, [field.name]: entered };
    if (this.problem(field.name)) this.check(field);
  }

  /** Checks a field that the person has left; one that they only passed has nothing wrong yet. */
  leave(field: FieldView): void {
    if (this.touched.has(field.name)) this.check(field);
  }

  private check(field: FieldView): void {
    const problem = validateField(field, valueOf(field, this.entered(field.name)));
    const others = Object.entries(this.problems.value).filter(([name]) => name !== field.name);
    this.problems.value = Object.fromEntries(problem ? [...others, [field.name, problem]] : others);
  }

  /** Checks all fields; gives what is to be sent, or the first field that is wrong (EL-11). */
  submit(): { answers: FormAnswers } | { wrong: FieldView } {
    const values = valuesOf(this.form, this.values.value);
    const problems = validateForm(this.form, values);
    this.problems.value = problems;
    const wrong = this.form.fields.find(({ name }) => Object.hasOwn(problems, name));
    return wrong ? { wrong } : { answers: answersOf(this.form, values) };
  }
}

const fillings = new WeakMap<Page, Map<string, FormFilling>>();

/** The form of a question, as far as it is filled in. */
export function fillingOf(page: Page, requestId: string, form: FormView): FormFilling {
  const ofPage = fillings.get(page) ?? new Map<string, FormFilling>();
  fillings.set(page, ofPage);
  const key = keyOf(page, requestId);
  const filling = ofPage.get(key) ?? new FormFilling(form);
  ofPage.set(key, filling);
  return filling;
}

/** Forgets what was filled in, once the question is answered (EL-15). */
export function forgetFilling(page: Page, requestId: string): void {
  fillings.get(page)?.delete(keyOf(page, requestId));
}

function keyOf(page: Page, requestId: string): string {
  return `${page.key.peek()}\n${requestId}`;
}
