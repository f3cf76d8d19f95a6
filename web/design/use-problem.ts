import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { onBack } from '../data/back.ts'
import { saysUnreachable } from '../data/errors.ts'

/** What was refused, as it stands beside fields and buttons. That the service could not be reached goes as soon as it can be. */
export function useProblem<Problem>(none: Problem): [Problem, Dispatch<SetStateAction<Problem>>] {
  const [problem, setProblem] = useState(none)
  const isPassing = saysUnreachable(problem)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is without a problem is said once
  useEffect(() => (isPassing ? onBack(() => setProblem(none)) : undefined), [isPassing])
  return [problem, setProblem]
}
