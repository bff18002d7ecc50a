import { Evaluation } from '../../../../lib/delivery/evaluation/evaluation.ts';
import { suiteOfEvaluation } from '../../../harness/evaluation-suite.ts';

suiteOfEvaluation(Evaluation);
