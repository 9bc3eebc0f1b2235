import { providePart } from '../../lazy';
import { drawFormula } from './drawFormula';

providePart('katex', drawFormula);
